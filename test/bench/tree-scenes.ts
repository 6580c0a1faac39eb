/** Whole directories: with one connection and several, near and far, and a second time. */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { at, ftpull, memory, mirror, mirrored, names, octets, type Scene, wall } from "./scenes.ts";

/** Files of the two trees, which have 20 of 4 kB in each directory. */
const sizes = [500, 2000];

export function makeTrees(root: string): void {
  for (const size of sizes)
    for (let number = 0; number < size / 20; number++) {
      const directory = join(root, `tree-${size}`, `directory-${number}`);
      mkdirSync(directory, { recursive: true });
      for (const name of names(20)) writeFileSync(join(directory, name), octets(4000));
    }
}

export function nearby(server: string): Scene[] {
  const tree = `${server}/tree-2000/`;
  const million = `${server}/million/`;
  const wget = ["wget", "-q", "-r", "-nH"] as const;
  const again = [...wget, "-N", tree] as const;
  return [
    {
      title: "a tree of 2000 files",
      programs: { "ftpull -j": ftpull("-q", "-r", "-j", "4", tree), "wget -r": [...wget, tree] },
      rows: [
        wall(
          "2000 files in 100 directories over loopback, -j 4, against wget -r",
          1.3,
          "ftpull -j",
          "wget -r",
        ),
      ],
    },
    {
      title: "a tree of 2000 files again",
      programs: { ftpull: ftpull("-q", "-r", tree), "wget -N": again },
      before: { ftpull: ftpull("-q", "-r", "-j", "4", tree), "wget -N": again },
      rows: [wall("the same again, one connection, against wget -r -N", 1.5, "ftpull", "wget -N")],
    },
    {
      title: "a tree's names",
      programs: {
        spider: ftpull("-q", "--spider", "-r", million),
        json: ftpull("-q", "--format", "json", million),
      },
      rows: [
        wall("1,000,000 files under --spider -r, against --format json", 1.5, "spider", "json"),
        memory(150, "spider"),
      ],
    },
  ];
}

export function distant(
  near: readonly string[],
  server: string,
  _directory: string,
  kind: string,
): Scene {
  const tree = `${server}/tree-500/`;
  const what = `500 files in 25 directories at 50 ms from ${kind}, against wget -r`;
  return {
    title: `a tree at 50 ms from ${kind}`,
    programs: {
      ftpull: at(near, ftpull("-q", "-r", tree)),
      "ftpull -j": at(near, ftpull("-q", "-r", "-j", "4", tree)),
      wget: at(near, ["wget", "-q", "-r", "-nH", tree]),
      lftp: mirror(near, tree),
    },
    rows: [wall(what, 0.76, "ftpull", "wget"), mirrored(kind === "vsftpd" ? 0.75 : 0.6)],
  };
}
