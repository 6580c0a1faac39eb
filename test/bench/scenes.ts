/** What is measured: the programs of each scene, and what the figures have to come to. */
import { closeSync, mkdirSync, openSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import type { Figures, Program } from "./runs.ts";

/** Programs that do the same work and run in turn. */
export interface Scene {
  readonly title: string;
  readonly writesMiB?: number;
  readonly programs: Readonly<Record<string, Program>>;
  readonly before?: Readonly<Record<string, Program>>;
  readonly rows: readonly Row[];
}

export interface Row {
  readonly what: string;
  readonly unit: "ratio" | "MB";
  /** The most that the figure may be. */
  readonly reach: number;
  /** Reckons the figure from the medians of the scene's programs. */
  readonly figure: (of: (program: string) => Figures) => number;
}

const node: Program = [process.execPath, "-e", "0"];

export function ftpull(...args: string[]): Program {
  return [process.execPath, resolve("bin/ftpull.js"), ...args];
}

/** Writes the files that a server has to serve. */
export function makeFiles(root: string): void {
  for (const [pathname, content] of smallFiles()) {
    mkdirSync(join(root, dirname(pathname)), { recursive: true });
    writeFileSync(join(root, pathname), content);
  }
  for (let index = 0; index < 1024; index++)
    writeFileSync(join(root, "1G"), octets(1024 * 1024), { flag: "a" });
  mkdirSync(join(root, "million"));
  for (const name of names(1_000_000)) closeSync(openSync(join(root, "million", name), "wx"));
}

/** All but the large one and the many, by pathname. */
export function smallFiles(): [string, Buffer][] {
  const counted = [100, 1000].flatMap((count) => names(count).map((name) => `${count}/${name}`));
  return [
    ["a/b/file", octets(1000)],
    ...counted.map((path) => [path, octets(4000)] as [string, Buffer]),
  ];
}

export function octets(size: number): Buffer {
  return Buffer.alloc(size, "0123456789abcdef\n");
}

export function names(count: number): string[] {
  return Array.from({ length: count }, (_, index) => `file-${index}`);
}

/** Nothing but the program itself, and one small file. */
export function startup(server: string): Scene {
  return {
    title: "start",
    programs: { node, version: ftpull("--version"), small: ftpull("-q", `${server}/a/b/file`) },
    rows: [
      wall("ftpull --version, against node -e 0", 1.35, "version", "node"),
      wall("1 kB over loopback, against node -e 0", 1.8, "small", "node"),
    ],
  };
}

export function large(port: number, reader: string | undefined): Scene {
  const url = `ftp://127.0.0.1:${port}/1G`;
  return {
    title: "1 GiB over loopback",
    writesMiB: 1280,
    programs: {
      node,
      ftpull: ftpull("-q", url),
      curl: ["curl", "-s", "-o", "out", url],
      ...(reader === undefined ? {} : { reader: [reader, `${port}`, "1G", "out"] as const }),
    },
    rows: [
      wall("1 GiB over loopback, against curl", 0.7, "ftpull", "curl"),
      cpu(0.7, "ftpull", "curl"),
      wallLessStart("the same, less node -e 0, against read and write in C", 1.1, "reader"),
      memory(75, "ftpull"),
    ],
  };
}

export function secured(port: number, ca: string): Scene {
  const address = `127.0.0.1:${port}/1G`;
  return {
    title: "1 GiB over TLS",
    writesMiB: 1280,
    programs: {
      ftpull: ftpull("-q", "--ca-certificate", ca, `ftpes://${address}`),
      curl: ["curl", "-s", "--ssl-reqd", "--cacert", ca, "-o", "out", `ftp://${address}`],
    },
    rows: [
      wall("1 GiB over TLS, against curl --ssl-reqd", 1, "ftpull", "curl"),
      cpu(1.4, "ftpull", "curl"),
      memory(75, "ftpull"),
    ],
  };
}

/** Many small files over loopback. */
export function many(server: string, directory: string): Scene {
  const what = "1000 files of 4 kB over loopback, -j 4, against wget -r";
  return {
    title: "1000 files",
    programs: {
      node,
      ftpull: ftpull("-q", "-j", "4", "-i", listOf(server, 1000, directory)),
      "wget -r": ["wget", "-q", "-r", "-nH", `${server}/1000/`],
    },
    rows: [wall(what, 1, "ftpull", "wget -r")],
  };
}

export function distant(near: readonly string[], server: string): Scene {
  const url = `${server}/a/b/file`;
  const what = "/a/b/file of 1 kB at 100 ms, less node -e 0, against wget";
  return {
    title: "one file at 100 ms",
    programs: { node, ftpull: at(near, ftpull("-q", url)), wget: at(near, ["wget", "-q", url]) },
    rows: [wallLessStart(what, 0.6, "wget")],
  };
}

/** Many files far from the server, which is `kind`. */
export function distantMany(
  near: readonly string[],
  server: string,
  directory: string,
  kind: string,
): Scene {
  const list = listOf(server, 100, directory);
  const what = `100 files of 4 kB at 50 ms from ${kind}, against wget's glob`;
  return {
    title: `100 files at 50 ms from ${kind}`,
    programs: {
      ftpull: at(near, ftpull("-q", "-i", list)),
      "ftpull -j": at(near, ftpull("-q", "-j", "4", "-i", list)),
      wget: at(near, ["wget", "-q", `${server}/100/*`]),
      lftp: mirror(near, `${server}/100`),
    },
    rows: [wall(what, 0.55, "ftpull", "wget"), mirrored(0.6)],
  };
}

export function at(near: readonly string[], program: Program): Program {
  const [file, ...args] = [...near, ...program];
  return [file ?? "", ...args];
}

export function mirror(near: readonly string[], url: string): Program {
  return at(near, ["lftp", "-c", `set ftp:sync-mode off; mirror -P4 ${url}`]);
}

/** A directory of a million entries into a pipe, by LIST; `curl -l` asks for names by NLST. */
export function listing(server: string): Scene {
  const url = `${server}/million/`;
  return {
    title: "a listing",
    programs: {
      names: ftpull("-q", url),
      json: ftpull("-q", "--format", "json", url),
      "curl -l": ["curl", "-s", "-l", url],
      curl: ["curl", "-s", url],
    },
    rows: [
      wall("1,000,000 entries as names, against curl -l", 2, "names", "curl -l"),
      memory(120, "names"),
      wall("1,000,000 entries as JSON, against curl", 2, "json", "curl"),
      memory(120, "json"),
    ],
  };
}

function listOf(server: string, count: number, directory: string): string {
  const path = join(directory, `${count}-${server.replace(/\W+/g, "-")}`);
  writeFileSync(
    path,
    names(count)
      .map((name) => `${server}/${count}/${name}\n`)
      .join(""),
  );
  return path;
}

export function wall(what: string, reach: number, ours: string, other: string): Row {
  return { what, unit: "ratio", reach, figure: (of) => of(ours).wallMs / of(other).wallMs };
}

/** The time of "ftpull" without Node's own start. */
function wallLessStart(what: string, reach: number, other: string): Row {
  const figure: Row["figure"] = (of) =>
    (of("ftpull").wallMs - of("node").wallMs) / of(other).wallMs;
  return { what, unit: "ratio", reach, figure };
}

export function mirrored(reach: number): Row {
  return wall("the same, -j 4, against lftp, pipelined, mirror -P4", reach, "ftpull -j", "lftp");
}

export function cpu(reach: number, ours: string, other: string): Row {
  const figure: Row["figure"] = (of) => of(ours).cpuMs / of(other).cpuMs;
  return { what: "the same, CPU time", unit: "ratio", reach, figure };
}

export function memory(reach: number, ours: string): Row {
  return { what: "the same, memory", unit: "MB", reach, figure: (of) => of(ours).memoryMB };
}
