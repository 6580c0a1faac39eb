/** Names in the listings of trees: what goes out, what is refused, and what it is called here. */
import { linkSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { Gate, transfer, until } from "../support/actions.ts";
import { localFiles } from "../support/local-tree.ts";
import { startServer } from "../support/start-server.ts";
import { temporaryDirectory } from "../support/temporary-directory.ts";
import { fetchFrom, fetchTree, ftpull } from "./support/client.ts";

const odd = [
  "%41",
  "*",
  "[a]",
  "-d",
  "x;type=a",
  " lead",
  "trail ",
  "#1",
  "?q",
  "ü",
  '"q"',
  "a\\b",
];

describe.each([
  ["MLSD", {}],
  ["LIST", { features: ["UTF8", "SIZE"] }],
])("%s", (_command, options) => {
  it("T19 names go out as they came, and name the files", async () => {
    const files = Object.fromEntries(
      odd.flatMap((name) => [
        [`d/${name}`, name],
        [`d/${name}-/x`, "x"],
      ]),
    );
    const { server, status, stderr, ...found } = await fetchTree({ ...options, files }, ["-q"]);
    expect(stderr).toBe("");
    const octets = (text: string) => Buffer.from(text).toString("latin1");
    const expected = Object.entries(files).map(([path, text]) => [path, octets(text)]);
    expect([status, found.files]).toEqual([0, Object.fromEntries(expected)]);
    const asked = server.sent("RETR");
    // Servers that strip a leading blank would send another file.
    for (const name of odd) expect(asked).toContain(`RETR ${octets(name).replace(/^ /, "./ ")}`);
    expect(server.sent("CWD")).toContain("CWD ./ lead-");
  });
});

describe("LIST's lines that are no plain ones", () => {
  const severalArrows = "lrwxrwxrwx 1 ftp ftp 0 Mar 14  2021 a -> b -> c";
  const unread = (line: string): string => `cannot read the line "${line}" of the listing`;

  it.each<[claim: string, lines: string[], files: Record<string, string>, said?: string]>([
    [
      "T11 a link with several arrows is split where its size says",
      [
        "lrwxrwxrwx 1 ftp ftp 1 Mar 14  2021 a -> b -> a",
        "lrwxrwxrwx 1 ftp ftp 4 Mar 14  2021 c -> d -> ../x",
      ],
      { "d/a -> b": " -> a", "d/c -> d": "333" },
    ],
    [
      "T22 where its size doesn't say, the line is named: status 7",
      [severalArrows, "-rw-r--r-- 1 ftp ftp 1 Mar 14  2021 a"],
      { "d/a": "1" },
      unread(severalArrows),
    ],
  ])("%s", async (_claim, lines, files, said) => {
    const content = lines.map((line) => `${line}\r\n`);
    const on = { "LIST#2": transfer({ content }), "LIST -a": "550 -a: no such directory" };
    const options = { features: ["UTF8", "SIZE"], files, directories: ["d"], on };
    const { server, status, stderr, ...found } = await fetchTree(options);
    expect(server.commands).not.toContain("NLST");
    expect(stderr).toContain(said ?? "");
    expect([status, found.files]).toEqual([said === undefined ? 0 : 7, files]);
  });
});

const file = (name: string) => `type=file;size=1;modify=20200102030405; ${name}\r\n`;

describe("T16 a name that no file can have: status 7, and the others arrive", () => {
  it.each(["../a", "/etc/passwd", "/", "a\rb"])("%j", async (name) => {
    const lines = [file(name), file("a")].map((line) => Buffer.from(line));
    const on = { MLSD: transfer({ content: lines }) };
    const found = await fetchTree({ files: { "d/a": "1", "d/b": "2" }, on });
    expect(found.stderr).toMatch(
      name === "a\rb" ? /cannot read the line/ : /which no file can have/,
    );
    expect([found.status, found.files]).toEqual([7, { "d/a": "1" }]);
    expect(found.server.sent("RETR")).toEqual(["RETR a"]);
  });
});

describe("T17 two sources with one local name: the second is a failure that names both", () => {
  it("control characters become %XX, as in another file's own name", async () => {
    const server = await startServer({ files: { "d/a\x01": "1", "d/a%01": "2" } });
    const { status, stderr, cwd } = await ftpull(["-r", "-q", server.url("/d/")]);
    const taken = `cannot write "d/a%01": ${server.url("/d/a%01")} has the same local name`;
    expect(stderr).toBe(`ftpull: ${server.url("/d/a%2501")}: ${taken}\n`);
    expect([status, localFiles(cwd)]).toEqual([3, { "d/a%01": "1" }]);
  });

  it("long names are cut", async () => {
    const long = "n".repeat(250);
    const given = { files: { [`d/${long}1`]: "1", [`d/${long}2`]: "2" } };
    const { server, status, stderr, files } = await fetchTree(given);
    const name = `d/${long.slice(0, 240)}`;
    const taken = `${server.url(`/d/${long}1`)} has the same local name`;
    expect(stderr).toContain(`${long}2: cannot write "${name}": ${taken}`);
    expect([status, files]).toEqual([3, { [name]: "1" }]);
  });

  it("a file and a directory of one name", async () => {
    const on = {
      "MLSD#1": transfer({ content: [file("a"), "type=dir; a\r\n", file("b")] }),
      "MLSD#2": transfer({ content: [file("x")] }),
      "CWD a": "250 Yes",
    };
    const server = await startServer({ files: { "d/a": "1", "d/b": "2" }, on });
    const { status, stderr, cwd } = await ftpull(["-r", "-q", server.url("/d/")]);
    expect(stderr).toBe(
      `ftpull: ${server.url("/d/a/")}: cannot write "d/a": ${server.url("/d/a")} has the same local name\n`,
    );
    expect([status, localFiles(cwd)]).toEqual([3, { "d/a": "1", "d/b": "2" }]);
  });
});

describe("T8 an entry that is listed twice", () => {
  it.each([[[]], [["-j", "4"]]])("is fetched once, also below a directory: %j", async (words) => {
    const content = [file("a"), file("a"), "type=dir; s\r\n", "type=dir; s\r\n"];
    const files = { "d/a": "1", "d/s/b": "2" };
    const found = await fetchTree({ files, on: { "MLSD#1": transfer({ content }) } }, words);
    expect([found.status, found.files]).toEqual([0, files]);
    expect(found.server.sent("RETR").toSorted()).toEqual(["RETR a", "RETR b"]);
  });
});

describe("T17 a file system that takes two names for one", () => {
  const hook = fileURLToPath(new URL("../support/name-forms.cjs", import.meta.url));
  const on = async (forms: string) => {
    const cwd = await temporaryDirectory();
    const env = { NODE_OPTIONS: `--require=${hook}`, NAME_FORMS: forms, NAME_FORMS_AT: cwd };
    return { cwd, env };
  };

  const twins = [
    ["case", "README", "Readme"],
    ["nfc,stored", "u\u0308", "\u00fc"],
    ["dots,stored", "a", "a."],
  ] as const;

  it.each(twins)(
    "by %s: of %j and %j, the second is a failure in each run, and isn't fetched again",
    async (forms, first, second) => {
      // Files of equal size and time pass for each other in nothing but their URLs.
      for (const content of ["other", "two"]) {
        const settings = await on(forms);
        const files = { [`d/${first}`]: "one", [`d/${second}`]: content, "d/s/x": "3" };
        const server = await startServer({ files });
        for (const words of [[], [], ["--no-clobber"], ["-f"]]) {
          const args = ["-r", "-q", ...words, server.url("/d/")];
          const { status, stderr } = await ftpull(args, settings);
          expect(stderr).toContain(`cannot write "d/${second}": here it is the same`);
          expect(status).toBe(3);
          expect(Object.values(localFiles(settings.cwd)).toSorted()).toEqual(["3", "one"]);
        }
        // Three at first, and with -f.
        expect(server.sent("RETR").length).toBeLessThanOrEqual(6);
      }
    },
  );

  it("one that is still being fetched is named to the other", async () => {
    const refused = new Gate();
    const settings = await on("ignorable");
    const large = "x".repeat(100_000);
    const server = await startServer({
      files: { "d/a": large, "d/a\u200d": large },
      on: {
        "RETR#1": transfer({ completion: [until(refused.opened), "226 Done"] }),
        "RETR#2": [transfer({ end: "stall" }), () => refused.open()],
      },
    });
    const { status, stderr } = await ftpull(["-r", "-q", "-j", "2", server.url("/d/")], settings);
    expect(stderr).toMatch(/cannot write ".*": this run is writing it/);
    const kept = Object.entries(localFiles(settings.cwd)).filter(([name]) => !/ftpull/.test(name));
    expect([status, kept.map(([, text]) => text === large)]).toEqual([3, [true]]);
  });

  it.each([[[]], [["-A", "x,y"]], [["-j", "3"]]])("by case: two directories, %j", async (words) => {
    const there = { "d/s/x": "1", "d/S/x": "22", "d/S/y": "3" };
    const { status, stderr, files } = await fetchTree({ files: there }, words, await on("case"));
    expect(stderr).toContain("here it is the same");
    expect(status).toBe(3);
    expect([["1"], ["22", "3"]]).toContainEqual(Object.values(files));
  });

  it.each([[["-f"]], [["-N"]], [["-c"]], [["-f", "-j", "2"]]])(
    "by case: two URLs, with %j",
    async (words) => {
      const files = { README: "1", Readme: "x".repeat(100_000) };
      const paths = ["/README", "/Readme"];
      const { status, stderr, cwd } = await fetchFrom({ files }, paths, words, await on("case"));
      // With -j 2, the first one may be under way when the second is about to be written.
      expect(stderr).toMatch(/: here it is the same |is writing it/);
      expect([status, Object.keys(localFiles(cwd)).length]).toEqual([3, 1]);
    },
  );

  it("an older copy under the other name is replaced, and stays then", async () => {
    const settings = await on("nfc");
    writeFileSync(join(settings.cwd, "u\u0308"), "an older one");
    const server = await startServer({ files: { "\u00fc": "new" } });
    const words = ["-r", "-nH", server.url("/")];
    const runs = [await ftpull(words, settings), await ftpull(words, settings)];
    expect(runs.map(({ status }) => status)).toEqual([0, 0]);
    expect(localFiles(settings.cwd)).toEqual({ "u\u0308": "new" });
    expect(server.sent("RETR")).toHaveLength(1);
  });
});

it("T17 two links of one local file are two names", async () => {
  const server = await startServer({ files: { "d/a": "1", "d/b": "1" } });
  const words = ["-r", server.url("/d/")];
  const { cwd } = await ftpull(words);
  rmSync(join(cwd, "d/b"));
  linkSync(join(cwd, "d/a"), join(cwd, "d/b"));
  const { status, stderr } = await ftpull(words, { cwd });
  expect(stderr).toContain("2 unchanged");
  expect([status, server.sent("RETR").length]).toEqual([0, 2]);
});
