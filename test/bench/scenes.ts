/** What is measured: programs that do the same work, and what their figures have to come to. */
import { createHash } from "node:crypto";
import { closeSync, mkdirSync, openSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import type { Program } from "./runs.ts";

export interface Scene {
  readonly title: string;
  readonly programs: Readonly<Record<string, Program>>;
  /** Programs that run before those of the same names, in their directories, and aren't measured. */
  readonly before?: Readonly<Record<string, Program>>;
  readonly writesMiB?: number;
  readonly rows: readonly Row[];
}

/**
 * What it is against what, the figure, and the most that this may be. A figure is that of one program ("memory
 * ftpull", in MB), or a ratio: "wall ftpull / curl", without Node's own start "wall ftpull - node / curl".
 */
export type Row = readonly [what: string, figure: string, aim: number];

/** Where a server is, and what programs begin with that run far from it. */
export interface Place {
  readonly url: string;
  readonly near: readonly string[];
  readonly kind: string;
  /** A directory for files of the scenes; `root` is the server's. */
  readonly directory: string;
  readonly root: string;
}

const node: Program = [process.execPath, "-e", "0"];
const wgetTree = ["wget", "-q", "-r", "-nH"] as const;
const sum = (content: Buffer): string => createHash("sha256").update(content).digest("hex");
const octets = (size: number): Buffer => Buffer.alloc(size, "0123456789abcdef\n");
const names = (count: number): string[] =>
  Array.from({ length: count }, (_, index) => `file-${index}`);

function ftpull(...args: string[]): Program {
  return [process.execPath, resolve("bin/ftpull.js"), ...args];
}

/** Writes the files that a server has to serve. */
export function makeFiles(root: string): void {
  const put = (path: string, content: Buffer | string): void => {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), content);
  };
  put("a/b/file", octets(1000));
  for (const count of [100, 1000])
    for (const name of names(count)) put(`${count}/${name}`, octets(4000));
  for (const size of [500, 2000]) {
    const directories = Array.from({ length: size / 20 }, (_, number) => `directory-${number}`);
    const paths = directories.flatMap((one) => names(20).map((name) => `${one}/${name}`));
    for (const path of paths) put(`tree-${size}/${path}`, octets(4000));
    const lines = paths.map((path) => `${sum(octets(4000))}  ${path}\n`);
    put(`tree-${size}/SHA256SUMS`, lines.join(""));
  }
  for (let index = 0; index < 1024; index++)
    writeFileSync(join(root, "1G"), octets(1024 * 1024), { flag: "a" });
  put("1G.sha256", `${sum(readFileSync(join(root, "1G")))}  1G\n`);
  mkdirSync(join(root, "million"));
  for (const name of names(1_000_000)) closeSync(openSync(join(root, "million", name), "wx"));
}

function listOf({ url, directory }: Place, count: number): string {
  const path = join(directory, `${count}-${url.replace(/\W+/g, "-")}`);
  writeFileSync(path, names(count).map((name) => `${url}/${count}/${name}\n`).join("")); // prettier-ignore
  return path;
}

/** Scenes over loopback; `reader` is the compiled reader.c. */
export function nearby(place: Place, reader: string | undefined): Scene[] {
  const { url, root } = place;
  const [large, tree, million] = [`${url}/1G`, `${url}/tree-2000/`, `${url}/million/`];
  const fetched = ftpull("-q", "-r", "-j", "4", tree);
  const again = [...wgetTree, "-N", tree] as const;
  return [
    {
      title: "start",
      programs: { node, version: ftpull("--version"), small: ftpull("-q", `${url}/a/b/file`) },
      rows: [
        ["`ftpull --version`, against `node -e 0`", "wall version / node", 1.35],
        ["1 kB over loopback, against `node -e 0`", "wall small / node", 1.8],
      ],
    },
    {
      title: "1 GiB over loopback",
      writesMiB: 1280,
      programs: {
        node,
        ftpull: ftpull("-q", large),
        curl: ["curl", "-s", "-o", "out", large],
        ...(reader && { reader: [reader, new URL(url).port, "1G", "out"] as const }),
      },
      rows: [
        ["1 GiB over loopback, to memory, against curl", "wall ftpull / curl", 0.7],
        ["the same, CPU time", "cpu ftpull / curl", 0.7],
        ["the same, against read and write in C", "wall ftpull - node / reader", 1.1],
        ["the same, memory", "memory ftpull", 75],
      ],
    },
    {
      title: "1000 files",
      programs: {
        ftpull: ftpull("-q", "-j", "4", "-i", listOf(place, 1000)),
        "wget -r": [...wgetTree, `${url}/1000/`],
      },
      rows: [["1000 files of 4 kB, `-j 4`, against `wget -r`", "wall ftpull / wget -r", 1]],
    },
    {
      title: "a listing",
      programs: {
        names: ftpull("-q", million),
        json: ftpull("-q", "--format", "json", million),
        spider: ftpull("-q", "--spider", "-r", million),
        "curl -l": ["curl", "-s", "-l", million],
        curl: ["curl", "-s", million],
      },
      rows: [
        ["1,000,000 entries, names, against `curl -l`", "wall names / curl -l", 2],
        ["the same, memory", "memory names", 120],
        ["1,000,000 entries, JSON, against curl", "wall json / curl", 2],
        ["the same, memory", "memory json", 120],
        ["1,000,000 files, `--spider -r`, against JSON", "wall spider / json", 1.5],
        ["the same, memory", "memory spider", 150],
      ],
    },
    {
      title: "a tree of 2000 files",
      programs: { ftpull: fetched, "wget -r": [...wgetTree, tree] },
      rows: [
        ["2000 files, 100 directories, `-j 4`, against `wget -r`", "wall ftpull / wget -r", 1.3],
      ],
    },
    {
      title: "a tree of 2000 files again",
      programs: { ftpull: ftpull("-q", "-r", tree), "wget -N": again },
      before: { ftpull: fetched, "wget -N": again },
      rows: [["the same again, one connection, `wget -r -N`", "wall ftpull / wget -N", 1.5]],
    },
    {
      ...verified("1 GiB, `--verify`", 1.15, [large], join(root, "1G.sha256")),
      writesMiB: 1280,
    },
    verified("2000 files, `-r --verify`", 1.3, ["-r", tree], "SHA256SUMS", "tree-2000"),
  ];
}

/** The cost of --verify; `list` is what sha256sum reads in the `folder` of a run's files. */
function verified(what: string, aim: number, args: string[], list: string, folder = "."): Scene {
  const plain = ftpull("-q", ...args);
  const check = `"$@" && cd ${folder} && sha256sum --check --quiet ${list}`;
  const programs = {
    plain,
    verify: ftpull("-q", "--verify", ...args),
    sha256sum: ["sh", "-c", check, "sh", ...plain] as const,
  };
  return {
    title: what,
    programs,
    rows: [
      [`${what}, against the same without`, "wall verify / plain", aim],
      ["the same, CPU time", "cpu verify / plain", aim],
      ["the same, against sha256sum afterwards", "wall verify / sha256sum", 1],
    ],
  };
}

export function secured({ url }: Place, ca: string): Scene[] {
  const curl = ["curl", "-s", "--ssl-reqd", "--cacert", ca, "-o", "out", `${url}/1G`] as const;
  const own = ftpull("-q", "--tls", "--ca-certificate", ca, `${url}/1G`);
  return [
    {
      title: "1 GiB over TLS",
      writesMiB: 1280,
      programs: { ftpull: own, curl },
      rows: [
        ["1 GiB over TLS, against `curl --ssl-reqd`", "wall ftpull / curl", 1],
        ["the same, CPU time", "cpu ftpull / curl", 1.4],
        ["the same, memory", "memory ftpull", 75],
      ],
    },
  ];
}

/** Scenes far from a server: a round trip takes so long. */
export function distant(place: Place, roundTripMs: number): Scene[] {
  const { url, kind } = place;
  const where = `at ${roundTripMs} ms from ${kind}`;
  const at = ([file, ...args]: Program): Program => {
    const [first = file, ...others] = [...place.near, file, ...args];
    return [first, ...others];
  };
  const peers = (what: string, directory: string, own: string[], wget: Program): Scene => ({
    title: `${what} ${where}`,
    programs: {
      ftpull: at(ftpull("-q", ...own)),
      "ftpull -j": at(ftpull("-q", "-j", "4", ...own)),
      wget: at(wget),
      lftp: at(["lftp", "-c", `set ftp:sync-mode off; mirror -P4 ${directory}`]),
    },
    rows: [
      [`${what} ${where}, against wget`, "wall ftpull / wget", 0.6],
      ["the same, `-j 4`, against `mirror -P4` of lftp", "wall ftpull -j / lftp", 0.6],
    ],
  });
  const one = `${url}/a/b/file`;
  const tree = `${url}/tree-500/`;
  const list = ["-i", listOf(place, 100)];
  const alone: Scene = {
    title: `one file ${where}`,
    programs: { node, ftpull: at(ftpull("-q", one)), wget: at(["wget", "-q", one]) },
    rows: [[`1 kB ${where}, against wget`, "wall ftpull - node / wget", 0.6]],
  };
  return [
    alone,
    peers("100 files of 4 kB", `${url}/100`, list, ["wget", "-q", `${url}/100/*`]),
    peers("500 files in 25 directories", tree, ["-r", tree], [...wgetTree, tree]),
  ];
}
