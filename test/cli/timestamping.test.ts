import { readFileSync, utimesSync, writeFileSync } from "node:fs";
import { expect, test } from "vitest";
import { close } from "../support/actions.ts";
import { localFiles } from "../support/local-tree.ts";
import { at, cwd, ownDirectory } from "../support/own-directory.ts";
import { run } from "../support/run-here.ts";
import { startServer } from "../support/start-server.ts";
import { temporaryDirectory } from "../support/temporary-directory.ts";

const noon = new Date("2024-05-06T12:00:00Z");
const earlier = new Date("2024-05-06T11:00:00Z");
const files = { "a.txt": { content: "new\n", modified: noon } };

ownDirectory();

function put(text: string, modified: Date): void {
  writeFileSync(at("a.txt"), text);
  utimesSync(at("a.txt"), modified, modified);
}

test.each(["/a.txt", "/a.txt;type=a"])("-N leaves a file that is as new: %s", async (path) => {
  put("new\n", noon);
  const server = await startServer({ files });
  const result = await run(["-N", server.url(path)], { cwd });
  const stderr = 'ftpull: "a.txt" is unchanged: skipped\n';
  expect(result).toMatchObject({ status: 0, stderr });
  expect(server.sent("MDTM", "RETR")).toEqual(["MDTM a.txt"]);
});

test.each([
  ["-m", ["-m"], { "a.txt": "new\n" }],
  ["-r, which says nothing of a URL's own file", ["-r"], { "a.txt": "old\n", "a.txt.1": "new\n" }],
])("a file that is older, with %s", async (_claim, words, expected) => {
  put("old\n", earlier);
  const server = await startServer({ files });
  expect((await run(["-q", ...words, server.url("/a.txt")], { cwd })).status).toBe(0);
  expect(localFiles(cwd)).toEqual(expected);
});

test("-N without MDTM goes by the size, and warns", async () => {
  put("old\n", earlier);
  const server = await startServer({ files, on: { MDTM: "502 no MDTM" } });
  expect(await run(["-N", server.url("/a.txt")], { cwd })).toMatchObject({
    status: 0,
    stderr:
      'ftpull: warning: the server doesn\'t say how old its file is: "a.txt" may be older\n' +
      'ftpull: "a.txt" is unchanged: skipped\n',
  });
});

test("of several documents, what a skipped one didn't need isn't taken for the next one's", async () => {
  const server = await startServer({ files: { a: "1\n", b: "2\n" } });
  const cwd = await temporaryDirectory();
  const [a, b, list] = ["/a;type=a", "/b;type=a", "/"].map((path) => server.url(path));
  await run([a!], { cwd });
  // The port that was opened for the skipped file is gone when the listing comes.
  const result = await run(["-t", "1", "-N", b!, a!, list!], { cwd });
  expect(result).toMatchObject({ status: 0, stdout: "a\nb\n" });
  expect(server.connections).toHaveLength(2);
});

test.each(["450 busy", "421 idle"])("-N asks again where MDTM is answered %s", async (reply) => {
  put("old\n", earlier);
  const on = { "MDTM#1": reply.startsWith("421") ? [reply, close] : reply };
  const server = await startServer({ files, on });
  const { status } = await run(["-qN", server.url("/a.txt")], { cwd });
  expect(readFileSync(at("a.txt"), "utf8")).toBe("new\n");
  expect(status).toBe(0);
});
