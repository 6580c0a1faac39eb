/** What --verify costs: runs with it and without, also where sha256sum follows. */
import { createHash } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { cpu, ftpull, names, octets, type Scene, wall } from "./scenes.ts";

/** The lists of the files that the other scenes have made. */
export function makeLists(root: string): void {
  writeFileSync(join(root, "1G.sha256"), `${sha256(readFileSync(join(root, "1G")))}  1G\n`);
  const sum = sha256(octets(4000));
  const directories = Array.from({ length: 100 }, (_, number) => `directory-${number}`);
  const paths = directories.flatMap((one) => names(20).map((name) => `${one}/${name}`));
  const lines = paths.map((path) => `${sum}  ${path}\n`);
  writeFileSync(join(root, "tree-2000", "SHA256SUMS"), lines.join(""));
}

export function nearby(server: string, root: string): Scene[] {
  const tree = "2000 files in 100 directories over loopback";
  const large = costOf("1 GiB over loopback, to memory", 1.15, `${server}/1G`, {
    list: join(root, "1G.sha256"),
  });
  const many = costOf(tree, 1.3, `${server}/tree-2000/`, {
    words: ["-r"],
    list: "SHA256SUMS",
    folder: "tree-2000",
  });
  return [{ ...large, writesMiB: 1280 }, many];
}

/** `list` is what sha256sum reads in the `folder` of a run's files. */
function costOf(
  what: string,
  reach: number,
  url: string,
  { words = [], list, folder = "." }: { words?: string[]; list: string; folder?: string },
): Scene {
  const args = ["-q", ...words, url];
  const check = `"$@" && cd ${folder} && sha256sum --check --quiet ${list}`;
  return {
    title: `${what}, verified`,
    programs: {
      plain: ftpull(...args),
      verify: ftpull("--verify", ...args),
      sha256sum: ["sh", "-c", check, "sh", ...ftpull(...args)],
    },
    rows: [
      wall(`${what}, --verify, against the same without`, reach, "verify", "plain"),
      cpu(reach, "verify", "plain"),
      wall("the same, against sha256sum afterwards", 1, "verify", "sha256sum"),
    ],
  };
}

const sha256 = (content: Buffer): string => createHash("sha256").update(content).digest("hex");
