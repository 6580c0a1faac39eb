/**
 * Splits a URL's path into segments and typecode, before they are decoded (U7): %2F stays inside one argument of a
 * command. An empty path means "/" (U8).
 */
import { checkPercent } from "../text/percent.ts";

export function parsePath(path: string) {
  checkPercent(path);
  const written = path.slice(1).split("/");
  const { name, typecode, warning } = splitTypecode(written.at(-1) ?? "");
  const segments = [...written.slice(0, -1), name];
  const warnings = warning === undefined ? [] : [warning];
  if (segments.some((segment) => segment.includes(";"))) warnings.push(literalSemicolon);
  return { segments, typecode, warnings };
}

const literalSemicolon = 'a ";" in the path that begins no typecode is taken literally (write %3B)';

function splitTypecode(segment: string) {
  const [, name = segment, code] = /^(.*);type=([^;]*)$/is.exec(segment) ?? [];
  if (code === undefined) return { name, typecode: undefined, warning: undefined };
  // RFC 1630 has codes with a format (non-print, Telnet, carriage control) or the size of a byte.
  if (/^(?:[aeiud]|[ae][ntc]|l[1-9][0-9]{0,2})$/i.test(code)) {
    const [type = "", ...rest] = code.toUpperCase();
    const typecode = rest.length === 0 ? type : `${type} ${rest.join("")}`;
    return { name, typecode, warning: undefined };
  }
  const what = code === "" ? 'empty ";type="' : `unknown typecode ";type=${code}"`;
  const warning = `the ${what} is ignored (a, e, i, u and d are known): write %3B for a literal ";"`;
  return { name, typecode: undefined, warning };
}

export function formatTypecode(typecode: string | undefined): string {
  return typecode === undefined ? "" : `;type=${typecode.replace(" ", "").toLowerCase()}`;
}
