/** Commands for a checksum that the server computes: HASH (draft-bryan-ftpext-hash), XMD5 and the like. */
import { plainCommand, type Command, type State, type Step } from "./state.ts";

export function nextToHash({ hashName }: State, wanted: string | undefined): Step | undefined {
  if (wanted === undefined || hashName === wanted) return undefined;
  return {
    line: `OPTS HASH ${wanted}`,
    note: "the reply to HASH names the algorithm",
    codes: [200],
    effect: (state) => ({ ...state, hashName: wanted }),
  };
}

/** Undefined if the command can't have the name: no two servers quote a quote in the same way. */
export function checksumCommand(command: string, name: string): Command | undefined {
  if (command === "HASH") return plainCommand(`HASH ${name}`, 213);
  if (name.includes('"')) return undefined;
  // Unquoted, a blank would begin a range.
  return plainCommand(`${command} ${/\s/.test(name) ? `"${name}"` : name}`, 250, 213, 251);
}
