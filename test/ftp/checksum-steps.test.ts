import { expect, test } from "vitest";
import { checksumCommand, nextToHash } from "../../src/ftp/checksum-steps.ts";
import { type Goal, next } from "../../src/ftp/dialogue.ts";
import type { State } from "../../src/ftp/state.ts";
import { foreseenLines, ready, talk } from "./support/talk.ts";

const sha256: Goal = (state) => nextToHash(state, "SHA-256");
const chosen: State = { ...ready, hashName: "SHA-256" };

test.each([
  ["an algorithm is chosen", ready, "SHA-256", ["OPTS HASH SHA-256"]],
  ["one that was chosen isn't again", chosen, "SHA-256", []],
  ["another one is", chosen, "SHA-1", ["OPTS HASH SHA-1"]],
  ["the one in force needs no choice", chosen, undefined, []],
])("%s", (_claim, from, name, lines) => {
  const goal: Goal = (state) => nextToHash(state, name);
  expect(talk(from, goal).lines).toEqual(lines);
  expect(foreseenLines(from, goal)).toEqual(lines);
});

test("only 200 is a choice: another reply is another command's", () => {
  expect(next(ready, sha256)).toMatchObject({ codes: [200] });
});

test("a refused choice isn't asked for again: the reply to HASH names the algorithm", () => {
  const { lines, end } = talk(ready, sha256, { OPTS: "501 no" });
  expect(lines).toEqual(["OPTS HASH SHA-256"]);
  expect(end).toBe("reached");
});

test.each([
  ["HASH", "x", "HASH x", [213]],
  ["HASH", 'a "b" c', 'HASH a "b" c', [213]],
  ["XMD5", "x", "XMD5 x", [250, 213, 251]],
  ["XCRC", "a b", 'XCRC "a b"', [250, 213, 251]],
  ["XSHA1", "a\tb", 'XSHA1 "a\tb"', [250, 213, 251]],
])("%s of %j is %j", (command, name, line, codes) => {
  expect(checksumCommand(command, name)).toMatchObject({ line, codes });
});

test("only HASH can have a name with a quote", () => {
  expect(checksumCommand("XMD5", 'a"b')).toBeUndefined();
});
