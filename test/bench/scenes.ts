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
export function startup(server: string): Scene[] {
  return [
    {
      title: "start",
      programs: { node, version: ftpull("--version"), small: ftpull("-q", `${server}/a/b/file`) },
      rows: [
        ratio("ftpull --version, against node -e 0", 1.35, (of) => wall(of, "version", "node")),
        ratio("1 kB over loopback, against node -e 0", 1.8, (of) => wall(of, "small", "node")),
      ],
    },
  ];
}

export function large(port: number, reader: string | undefined): Scene[] {
  const url = `ftp://127.0.0.1:${port}/1G`;
  return [
    {
      title: "1 GiB over loopback",
      writesMiB: 1280,
      programs: {
        node,
        ftpull: ftpull("-q", url),
        curl: ["curl", "-s", "-o", "out", url],
        ...(reader === undefined ? {} : { reader: [reader, `${port}`, "1G", "out"] as const }),
      },
      rows: [
        ratio("1 GiB over loopback, against curl", 0.7, (of) => wall(of, "ftpull", "curl")),
        ratio("the same, CPU time", 0.7, (of) => of("ftpull").cpuMs / of("curl").cpuMs),
        ratio("the same, less node -e 0, against read and write in C", 1.1, (of) =>
          wallLessStart(of, "reader"),
        ),
        { what: "the same, memory", unit: "MB", reach: 75, figure: (of) => of("ftpull").memoryMB },
      ],
    },
  ];
}

export function secured(port: number, ca: string): Scene[] {
  const address = `127.0.0.1:${port}/1G`;
  const curl = ["-s", "--ssl-reqd", "--cacert", ca, "-o", "out", `ftp://${address}`];
  return [
    {
      title: "1 GiB over TLS",
      writesMiB: 1280,
      programs: {
        ftpull: ftpull("-q", "--ca-certificate", ca, `ftpes://${address}`),
        curl: ["curl", ...curl],
      },
      rows: [
        ratio("1 GiB over TLS, against curl --ssl-reqd", 1, (of) => wall(of, "ftpull", "curl")),
        ratio("the same, CPU time", 1.4, (of) => of("ftpull").cpuMs / of("curl").cpuMs),
        { what: "the same, memory", unit: "MB", reach: 75, figure: (of) => of("ftpull").memoryMB },
      ],
    },
  ];
}

/** Many small files over loopback. */
export function many(server: string, directory: string): Scene[] {
  return [
    {
      title: "1000 files",
      programs: {
        node,
        ftpull: ftpull("-q", "-j", "4", "-i", listOf(server, 1000, directory)),
        "wget -r": ["wget", "-q", "-r", "-nH", `${server}/1000/`],
      },
      rows: [
        ratio("1000 files of 4 kB over loopback, -j 4, against wget -r", 1, (of) =>
          wall(of, "ftpull", "wget -r"),
        ),
      ],
    },
  ];
}

export function distant(near: readonly string[], server: string): Scene[] {
  const url = `${server}/a/b/file`;
  return [
    {
      title: "one file at 100 ms",
      programs: {
        node,
        ftpull: at(near, ftpull("-q", url)),
        wget: at(near, ["wget", "-q", url]),
      },
      rows: [
        ratio("/a/b/file of 1 kB at 100 ms, less node -e 0, against wget", 0.6, (of) =>
          wallLessStart(of, "wget"),
        ),
      ],
    },
  ];
}

/** Many files far from the server, which is `kind`. */
export function distantMany(
  near: readonly string[],
  server: string,
  directory: string,
  kind: string,
): Scene[] {
  const list = listOf(server, 100, directory);
  const mirror = `set ftp:sync-mode off; mirror -P4 ${server}/100`;
  return [
    {
      title: `100 files at 50 ms from ${kind}`,
      programs: {
        ftpull: at(near, ftpull("-q", "-i", list)),
        "ftpull -j": at(near, ftpull("-q", "-j", "4", "-i", list)),
        wget: at(near, ["wget", "-q", `${server}/100/*`]),
        lftp: at(near, ["lftp", "-c", mirror]),
      },
      rows: [
        ratio(`100 files of 4 kB at 50 ms from ${kind}, against wget's glob`, 0.55, (of) =>
          wall(of, "ftpull", "wget"),
        ),
        ratio("the same, -j 4, against lftp, pipelined, mirror -P4", 0.6, (of) =>
          wall(of, "ftpull -j", "lftp"),
        ),
      ],
    },
  ];
}

export function at(near: readonly string[], program: Program): Program {
  const [file, ...args] = [...near, ...program];
  return [file ?? "", ...args];
}

/** A directory of a million entries into a pipe, by LIST; `curl -l` asks for names by NLST. */
export function listing(server: string): Scene[] {
  const url = `${server}/million/`;
  return [
    {
      title: "a listing",
      programs: {
        names: ftpull("-q", url),
        json: ftpull("-q", "--format", "json", url),
        "curl -l": ["curl", "-s", "-l", url],
        curl: ["curl", "-s", url],
      },
      rows: [
        ratio("1,000,000 entries as names, against curl -l", 2, (of) =>
          wall(of, "names", "curl -l"),
        ),
        { what: "the same, memory", unit: "MB", reach: 120, figure: (of) => of("names").memoryMB },
        ratio("1,000,000 entries as JSON, against curl", 2, (of) => wall(of, "json", "curl")),
        { what: "the same, memory", unit: "MB", reach: 120, figure: (of) => of("json").memoryMB },
      ],
    },
  ];
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

export function ratio(what: string, reach: number, figure: Row["figure"]): Row {
  return { what, unit: "ratio", reach, figure };
}

export type Of = Parameters<Row["figure"]>[0];

export function wall(of: Of, ours: string, other: string): number {
  return of(ours).wallMs / of(other).wallMs;
}

function wallLessStart(of: Of, other: string): number {
  return (of("ftpull").wallMs - of("node").wallMs) / of(other).wallMs;
}
