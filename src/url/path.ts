/**
 * The path of a URL: split at "/" first, decoded by whoever uses the segments (U7), so that
 * %2F stays inside one argument.
 */
import { checkPercent, type Piece } from "./percent.ts";
import { splitTypecode } from "./typecode.ts";

export interface UrlPath {
  /** Still percent-encoded; the last one is the name, without the typecode. */
  readonly segments: readonly string[];
  readonly typecode: string | undefined;
  readonly warnings: readonly string[];
}

/**
 * Splits a path, which is empty or begins with "/"; none means "/" (U8).
 * @throws FtpullError "usage"
 */
export function parsePath(piece: Piece): UrlPath {
  checkPercent(piece);
  const cwds = piece.text.slice(1).split("/");
  const { name, typecode, warning } = splitTypecode(cwds.pop() ?? "");
  const segments = [...cwds, name];
  return {
    segments,
    typecode,
    warnings: [
      ...(warning === undefined ? [] : [warning]),
      ...(segments.some((segment) => segment.includes(";")) ? [rawSemicolon] : []),
    ],
  };
}

const rawSemicolon = 'a ";" in the path that begins no typecode is taken literally (write %3B)';
