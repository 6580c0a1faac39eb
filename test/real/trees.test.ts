/** Whole directories of the real servers: names, links, and what a further run fetches. */
import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync } from "node:fs"; // prettier-ignore
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { isLong } from "../support/long.ts";
import { runInRealTime as run } from "../support/run-here.ts";
import { temporaryDirectory } from "../support/temporary-directory.ts";
import { describeEachServer } from "./support/each-server.ts";
import type { RealServer } from "./support/servers.ts";
import { latin1Name, makeDirectory, oddNames, putFile, utf8Octets } from "./support/tree.ts";

const root = mkdtempSync(join(tmpdir(), "ftpull-"));
chmodSync(root, 0o755);
afterAll(() => rmSync(root, { recursive: true, force: true }));

const fileCount = 200;
const alias = "to-sibling";

const put = (top: string, pathname: string, content: string, second: number): void =>
  putFile(top, pathname, content, new Date(Date.UTC(2020, 0, 1, 0, 0, second)));

/** Makes a tree; for a server that `isLogical` all names are UTF-8, and no link leads in a circle. */
function makeTree(top: string, isLogical: boolean): void {
  // Pure-FTPd sends no file with a backslash in its name.
  const odd = oddNames.filter((name) => name !== "back\\slash");
  const names = [...odd, ".hidden", ...(isLogical ? [] : [latin1Name])];
  for (const [index, name] of names.entries())
    put(top, `${name}/${names[(index + 1) % names.length]}`, name, index);
  for (let index = 0; index < fileCount; index++) {
    const content = index % 10 === 0 ? "" : `file ${index}\n`.repeat(index % 50 === 1 ? 20_000 : 1);
    put(top, `d${index % 20}/d/f${index}`, content, index);
  }
  makeDirectory(top, "void/void");
  for (const name of ["changed", "shrunk", "removed"]) put(top, `-la/${name}`, name, 4);
  put(`${top}.outside`, "below/x", "outside", 1);
  const links = {
    "to-file": "d1/d/f1",
    "to-directory": `../${basename(top)}.outside`,
    [alias]: "d0",
    "to-nowhere": "missing",
    ...(isLogical ? {} : { "d0/to-parent": "..", "d0/to-itself": "." }),
  };
  for (const [name, target] of Object.entries(links)) symlinkSync(target, join(top, name));
}

function change(top: string): void {
  put(top, "-la/changed", "CHANGED", 1000);
  put(top, "-la/shrunk", "shr", 1001);
  put(top, "a#b/new", "new", 1002);
  rmSync(join(top, "-la/removed"));
}

/** What is below a directory under the names that it gets here: content and time of files; links are followed. */
function found(top: string): Map<string, string> {
  const all = new Map<string, string>();
  const walk = (directory: string, label: string): void => {
    for (const name of readdirSync(Buffer.from(directory, "latin1"), "latin1").toSorted()) {
      const path = Buffer.from(`${directory}/${name}`, "latin1");
      const shown = name === latin1Name ? "caf%E9" : Buffer.from(name, "latin1").toString();
      const stats = statSync(path, { throwIfNoEntry: false });
      if (stats === undefined || name === "to-parent" || name === "to-itself") continue;
      const content = stats.isFile() ? `${+stats.mtime} ${readFileSync(path, "latin1")}` : "";
      all.set(label + shown, content);
      if (stats.isDirectory()) walk(`${directory}/${name}`, `${label}${shown}/`);
    }
  };
  walk(utf8Octets(top), "");
  return all;
}

const isBelow = (path: string, directory: string): boolean =>
  `${path}/`.startsWith(`${directory}/`);

describeEachServer(
  "trees",
  (server, kind) => {
    test("the tree is here as it is there, and further runs fetch what has changed", async () => {
      const there = join(root, kind);
      makeTree(there, kind === "pyftpdlib");
      const cwd = await temporaryDirectory();
      const fetch = () => retrieved(server(), kind, cwd);
      const here = () => Object.fromEntries(found(join(cwd, kind)));
      /** A directory outside isn't fetched, nor, where links are shown as directories, a second name. */
      const expected = (): Record<string, string> => {
        const isHere = (path: string): boolean => path in here();
        const all = [...found(there)].filter(
          ([path]) => isHere(path) || !["to-directory", alias].some((link) => isBelow(path, link)),
        );
        return Object.fromEntries(all);
      };
      expect((await fetch()).length).toBeGreaterThan(fileCount);
      expect(here()).toEqual(expected());
      expect(await fetch()).toEqual([]);
      expect(here()).toEqual(expected());
      change(there);
      expect((await fetch()).toSorted()).toEqual(["changed", "new", "shrunk"]);
      const { "-la/removed": kept, ...others } = here();
      expect(kept).toMatch(/removed$/);
      expect(others).toEqual(expected());
    });
  },
  {
    kinds: isLong ? ["vsftpd", "proftpd", "pure-ftpd", "pyftpdlib"] : ["vsftpd"],
    options: { root },
  },
);

/** Fetches a tree, and gives the names of files that were asked for by RETR. */
async function retrieved(server: RealServer, name: string, cwd: string): Promise<string[]> {
  // An anonymous user of Pure-FTPd may not read names with a leading dot.
  const url = server.url(`/${name}/`, server.account);
  const { status, stderr } = await run(["-r", "-j", "4", "-v", url], { cwd });
  expect(status, stderr.slice(-2000)).toBe(0);
  const names = [...stderr.matchAll(/^\d*> RETR (.*)$/gm)].map(([, pathname]) => pathname!);
  // What a link leads to shows when it is retrieved.
  return names.filter((each) => !each.startsWith("to-"));
}
