/** The built program's listings of directories of the real servers, in every format. */
import { expect, test } from "vitest";
import { runInRealTime as run } from "../support/run-here.ts";
import { describeEachServer } from "./support/each-server.ts";
import { manyNames, oddFiles, rootNames } from "./support/tree.ts";

const allNames = [...rootNames.directories, ...rootNames.files, rootNames.link].toSorted();

interface Entry {
  readonly url: string;
  readonly name: string;
  readonly type: string;
  readonly size: number | null;
  readonly modified: string | null;
}

describeEachServer("listings", (server, kind) => {
  /** Lists a path, and gives the lines of standard output. */
  async function listed(path: string, ...options: string[]): Promise<string[]> {
    const result = await run([...options, server().url(path)]);
    expect(result).toMatchObject({ status: 0 });
    return result.stdout.split("\n").slice(0, -1);
  }

  const slashed = rootNames.directories.map((name) => `${name}/`);
  const rootLines = [...slashed, ...rootNames.files, rootNames.link].toSorted();

  test.each([
    ["/", rootLines],
    ["", rootLines],
    ["/many/", manyNames],
    ["/many;type=d", manyNames],
    ["/many", manyNames],
    ["/void/", []],
    ["/void;type=d", []],
  ])('"%s" gives the names, one a line, and neither . nor ..', async (path, names) => {
    expect((await listed(path)).toSorted()).toEqual(names);
  });

  test("--format json has every name, type, size and date", async () => {
    const lines = await listed("/", "--format", "json");
    const entries = new Map(lines.map((line) => [entryOf(line).name, entryOf(line)]));
    expect([...entries.keys()].toSorted()).toEqual(allNames);
    expect(entries.get("64k.bin")).toMatchObject({ type: "file", size: 65_536 });
    expect(entries.get("empty")).toMatchObject({ type: "file", size: 0 });
    expect(entries.get("void")).toMatchObject({ type: "directory" });
    expect(entries.get("20m.bin")?.modified).toMatch(
      // An old file has no time of day in LIST.
      kind === "vsftpd" ? /^2020-02-29$/ : /^2020-02-29T\d\d:\d\d:\d\dZ$/,
    );
    expect(entries.get("20m.bin")?.url).toBe(server().url("/20m.bin"));
    // pyftpdlib shows in MLSD what a link leads to.
    const linkType = kind === "pyftpdlib" ? "file" : "link";
    expect(entries.get(rootNames.link)).toMatchObject({ type: linkType });
  });

  test("--format json has the odd names as they are", async () => {
    const lines = await listed("/names/", "--format", "json");
    const names = lines.map((line) => entryOf(line).name);
    for (const file of oddFiles)
      expect(names).toContain(Buffer.from(file.pathname, "latin1").toString().split("/")[1]);
  });

  test.each(["/no-such/", "/no-such;type=d", "/no-such/;type=d", "/text.txt/"])(
    "%s ends with status 8 and no output",
    async (path) => {
      // ProFTPD's 450 would be tried again.
      expect(await run(["-t", "1", server().url(path)])).toMatchObject({ status: 8, stdout: "" });
    },
  );

  test("a directory that -O was to receive as a file ends with status 8 and a hint", async () => {
    const result = await run(["-O", "file", server().url("/many")]);
    expect(result).toMatchObject({ status: 8, stdout: "" });
    expect(result.stderr).toContain("hint: ");
  });
});

describeEachServer(
  "a listing that is cut",
  (server) => {
    test.each(["names", "json", "raw"])(
      "as %s: status 9, and what came is shown",
      async (format) => {
        const result = await run(["--format", format, server().url("/many/")]);
        expect(result.stderr).toContain("the server cut the listing: server replied 226 ");
        expect(result.stdout.trimEnd().split("\n").length).toBeLessThan(manyNames.length);
        expect(result.stdout).toContain(manyNames[0]);
        expect(result.status).toBe(9);
      },
    );
  },
  { kinds: ["pure-ftpd"], options: { config: ["--limitrecursion=100:1"] } },
);

function entryOf(line: string): Entry {
  return JSON.parse(line) as Entry;
}
