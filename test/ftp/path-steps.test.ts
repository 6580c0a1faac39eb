import { describe, expect, test } from "vitest";
import { parseReply } from "../../src/ftp/control/reply.ts";
import { foresee, type Goal, goalOf, next } from "../../src/ftp/dialogue.ts";
import { isListedByName, locatedFile, typeWarning } from "../../src/ftp/document-steps.ts";
import { reaches } from "../../src/ftp/path-steps.ts";
import { forAnotherDocument, type State } from "../../src/ftp/state.ts";
import {
  file,
  follow,
  foreseenLines,
  listing,
  planOf,
  ready,
  talk,
  type Replies,
} from "./support/talk.ts";

/** The file x in the login directory, with what is asked of it. */
const x = { cwds: [], name: "x", action: "retrieve", type: "I", conversion: "none" } as const;

const facts = (name: string): string[] => [`SIZE ${name}`, `MDTM ${name}`];

const factsOfX = "SIZE x; MDTM x";

test.each<[claim: string, goal: Goal, dialogue: string, end?: string]>([
  ["P11 no cwd: no PWD", file("x"), `TYPE I; ${factsOfX}`],
  ["a file without a type is an image", goalOf({ ...x, type: undefined }), `TYPE I; ${factsOfX}`],
  ["SIZE only in image type", file("x", "A"), "TYPE A; MDTM x"],
  ["P3 TYPE L 8 refused", file("x", "L 8"), "TYPE L 8 (451 no)", refused("set TYPE L 8", "451 no")],
  [
    "P10 a path from the root",
    file("//a/x"),
    "PWD; CWD ; CWD ; CWD a (550 no); CWD /home; TYPE I; SIZE a/x; MDTM a/x",
  ],
  [
    "P10 slashes in a name stay",
    goalOf({ ...x, cwds: ["a"], name: "b//c" }),
    "PWD; CWD a (550 no); TYPE I; SIZE a/b//c; MDTM a/b//c",
  ],
  [
    "S8 a demand for an account behind the login is a refusal",
    file("a/x"),
    "PWD; CWD a (532 account?)",
    refused('enter the directory "a"', "532 account?"),
  ],
  ["P5 the login directory", listing(""), ""],
  [
    "P6 a transient refusal is none of the name",
    listing("a/b"),
    "PWD; CWD a; CWD b (450 busy)",
    refused('enter the directory "b"', "450 busy"),
  ],
])("%s", (_claim, goal, dialogue, end = "reached") => {
  expect(follow(ready, goal, dialogue).end).toBe(end);
});

function refused(what: string, reply: string): string {
  return `cannot ${what}: server replied ${reply.slice(0, 3)} "${reply.slice(4)}"`;
}

describe("from one document to the next", () => {
  const at = (goal: Goal, replies?: Replies): State =>
    forAnotherDocument(talk(ready, goal, replies).state);

  const noType = { TYPE: "504 no" };
  const beforeA = at(file("a/x"), { CWD: "500 no" });

  test.each<[claim: string, from: State, to: Goal, lines: string]>([
    ["M2 the same directory", at(file("a/x")), file("a/y"), "SIZE y; MDTM y"],
    ["M2 one below", at(file("a/x")), file("a/b/x"), `CWD b; ${factsOfX}`],
    ["M2 a sibling", at(file("a/x")), file("b/x"), `CWD /home; CWD b; ${factsOfX}`],
    ["M2 the login directory", at(file("a/x")), listing(""), "CWD /home; TYPE A"],
    ["a listing, in the type that a login begins with", at(file("x", "A")), listing(""), ""],
    ["a refusal is asked for again", beforeA, file("a/x"), `CWD a; TYPE I; ${factsOfX}`],
    ["so are facts", at(file("x")), file("x"), factsOfX],
    ["P3 another type's refusal", at(file("x", "A"), noType), file("x"), `TYPE I; ${factsOfX}`],
  ])("%s", (_claim, from, to, lines) => {
    follow(from, to, lines);
    expect(foreseenLines(from, to).join("; ")).toBe(lines);
  });

  test.each(["502 no", '257 "" is nowhere', "257 no quotes"])(
    "M2 PWD answered %s gives no way back",
    (reply) => {
      const state = at(file("a/x"), { PWD: reply });
      expect(reaches(state, ["a", "b"])).toBe(true);
      expect(reaches(state, ["c"])).toBe(false);
      expect(next(state, file("c/x"))).toMatchObject({ fail: { reason: "no way back" } });
    },
  );
});

test("M2 without PWD a directory is reached from one above it alone", () => {
  const state: State = { ...ready, entered: ["a"] };
  expect(reaches(state, ["a", "b"])).toBe(true);
  expect(reaches(state, ["b"])).toBe(false);
});

test.each([
  ["213 20260301123000", true],
  ["213 20260301123000.5", true],
  ["213 4", false],
  ["213  1234567890123 ", false],
  ["213 12345678901234", true],
  ["213-4", true],
])("a reply to MDTM can be %j: %s", (reply, isTime) => {
  const { form } = foresee(ready, [goalOf(x)]).at(-1)!;
  expect(form?.test(reply)).toBe(isTime);
});

describe("replies that come after a refusal", () => {
  function together(state: State, goal: Goal, replies: readonly string[]): State {
    const commands = foresee(state, [goal]);
    expect(commands).toHaveLength(replies.length);
    return commands.reduce(
      (before, command, index) => command.effect(before, parseReply(replies[index] ?? "")),
      state,
    );
  }

  const moved = ['257 "/home"', "550 no", "250 here", "200 I", "213 9", "213 20260101000000"];

  test("P10 a CWD behind the refused one leads away: back first, and its facts don't count", () => {
    const state = together(ready, file("a/b/x"), moved);
    expect(state.entered).toEqual(["b"]);
    const told = talk(state, file("a/b/x"));
    expect(told.lines).toEqual(["CWD /home", ...facts("a/b/x")]);
  });

  test("P10 without a way back one command at a time would have found it", () => {
    const state = together(ready, file("a/b/x"), ["502 no", ...moved.slice(1)]);
    expect(next(state, file("a/b/x"))).toMatchObject({ fail: { reason: "no way back" } });
  });
});

function factsOf(state: State, path = "x"): ReturnType<typeof locatedFile>["facts"] {
  return locatedFile(state, planOf(path)).facts;
}

describe("what was found", () => {
  test.each([
    [{ SIZE: "450 busy" }, 'cannot get the size of "x": server replied 450 "busy"'],
    [{ MDTM: "450 busy" }, 'cannot get the time of "x": server replied 450 "busy"'],
    [{ SIZE: "550 no", MDTM: "550 no" }, undefined],
  ] satisfies [Replies, string | undefined][])("%j is a failure: %s", (replies, message) => {
    const { failure } = factsOf(talk(ready, file("x"), replies).state);
    expect(failure?.message).toBe(message);
  });

  test.each([
    ["a text", "retrieve", "A", 'TYPE A was refused: server replied 504 "no"; sent in TYPE A'],
    ["a listing", "list", "A N", 'TYPE A N was refused: server replied 504 "no"; sent in TYPE A'],
    ["an image", "retrieve", "I", 'TYPE I was refused: server replied 504 "no"; sent in TYPE A'],
    [
      "a file without a type",
      "retrieve",
      undefined,
      'TYPE I was refused: server replied 504 "no"; sent in TYPE A',
    ],
    ["a listing without a type", "list", undefined, undefined],
  ] as const)("P3 the refusal of its type is a warning for %s", (_what, action, type, warning) => {
    const plan = { ...x, action, type };
    const goal = goalOf(plan);
    expect(typeWarning(talk(ready, goal, { TYPE: "504 no" }).state, plan)).toBe(warning);
    expect(typeWarning(talk(ready, goal).state, plan)).toBe(undefined);
  });

  test("no size that was told in another type", () => {
    const { state } = talk(talk(ready, file("x")).state, file("x", "A"));
    expect(factsOf(state).size).toBe(undefined);
  });

  test.each([
    [{ "CWD b": "550 no" }, true],
    [{ "CWD b": "450 no" }, false],
    [{ "CWD a": "550 no" }, false],
    [{}, false],
  ] satisfies [Replies, boolean][])("%j: it is listed by its name: %s", (replies, byName) => {
    const { state } = talk(ready, listing("a/b"), replies);
    expect(isListedByName(state, planOf("a/b", "list"))).toBe(byName);
  });
});
