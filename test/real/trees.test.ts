/** Whole directories of the real servers: names, links, and what a further run fetches. */
import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { isLong } from "../support/long.ts";
import { runInRealTime as run } from "../support/run-here.ts";
import { temporaryDirectory } from "../support/temporary-directory.ts";
import { describeEachServer } from "./support/each-server.ts";
import { fetchedTree, type Found, makeLinkedTree, put, servedTree } from "./support/linked-tree.ts";
import type { RealServer } from "./support/servers.ts";

const root = mkdtempSync(join(tmpdir(), "ftpull-"));
chmodSync(root, 0o755);
afterAll(() => rmSync(root, { recursive: true, force: true }));

const alias = "to-sibling";

describeEachServer(
  "trees",
  (server, kind) => {
    test.each(isLong ? [1, 4] : [4])(
      "the tree is here as it is there, and further runs fetch what has changed, with -j %i",
      { timeout: 600_000 },
      async (jobs) => {
        const name = `${kind}-${jobs}`;
        const there = join(root, name);
        makeLinkedTree(there, kind === "pyftpdlib");
        const cwd = await temporaryDirectory();
        const fetch = () => retrieved(server(), name, jobs, cwd);
        const fetchedFiles = await fetch();
        const before = servedTree(there);
        const here = fetchedTree(join(cwd, name));
        // A server that shows links as directories has what they lead to.
        const outside = below("to-directory", before);
        const missing = missingIn(here, before).filter((path) => !outside.includes(path));
        expect(missing).toBeOneOf([[], below(alias, before)]);
        expect(here).toEqual(without(missingIn(here, before), before));
        expect(fetchedFiles.length).toBeGreaterThan(300);
        expect(await fetch()).toEqual([]);
        expect(fetchedTree(join(cwd, name))).toEqual(here);
        change(there);
        expect((await fetch()).toSorted()).toEqual(["changed", "new", "shrunk"]);
        const kept = [...here].filter(([path]) => !servedTree(there).has(path));
        expect(kept.map(([path]) => path)).toEqual(["-d/removed"]);
        expect(fetchedTree(join(cwd, name))).toEqual(
          new Map([...without(missingIn(here, before), servedTree(there)), ...kept]),
        );
      },
    );
  },
  {
    kinds: isLong ? ["vsftpd", "proftpd", "pure-ftpd", "pyftpdlib"] : ["vsftpd"],
    options: { root },
  },
);

/** Fetches a tree, and gives the names of files that were asked for by RETR. */
async function retrieved(server: RealServer, name: string, jobs: number, cwd: string) {
  // An anonymous user of Pure-FTPd may not read names with a leading dot.
  const url = server.url(`/${name}/`, server.account);
  const { status, stderr } = await run(["-r", "-l", "0", "-j", String(jobs), "-v", url], { cwd });
  expect(status, stderr.slice(-2000)).toBe(0);
  const names = [...stderr.matchAll(/^\d*> RETR (.*)$/gm)].map(([, pathname]) => pathname!);
  // What a link leads to shows when it is retrieved.
  return names.filter((each) => !each.startsWith("to-"));
}

function change(there: string): void {
  put(join(there, "-d", "changed"), "CHANGED", 1000);
  put(join(there, "[x]", "shrunk"), "shr", 1001);
  put(join(there, "#hash", "new"), "new", 1002);
  rmSync(join(there, "-d", "removed"));
}

function missingIn(here: ReadonlyMap<string, Found>, there: ReadonlyMap<string, Found>): string[] {
  return [...there.keys()].filter((path) => !here.has(path));
}

function below(directory: string, tree: ReadonlyMap<string, Found>): string[] {
  return [...tree.keys()].filter((path) => path === directory || path.startsWith(`${directory}/`));
}

function without(paths: readonly string[], tree: ReadonlyMap<string, Found>): Map<string, Found> {
  return new Map([...tree].filter(([path]) => !paths.includes(path)));
}
