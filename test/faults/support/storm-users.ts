/** Storms of other users, who plant links and folders in a directory that they may write to. */
import * as fs from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import { localTree } from "../../support/local-tree.ts";
import type { Random } from "./random.ts";
import { type Began, type Place, treePlace } from "./storm-place.ts";

const stranger = 12_345;

export async function linkedDirectory(random: Random, began: Began): Promise<void> {
  const place = began(await treePlace(random, 30));
  const [tree, moved] = [join(place.cwd, "t/a"), join(place.cwd, "../moved")];
  let left = random.below(30);
  place.on("RETR", (exchange) => {
    if (left-- <= 0 && fs.existsSync(tree) && !fs.existsSync(moved)) {
      fs.renameSync(tree, moved);
      fs.symlinkSync("../../outside", tree);
    }
    return exchange.proceed();
  });
  // Between the last look at a directory and the rename Node can't hold it: one file after the other.
  const args = ["-r", "--no-pipelining", place.server.url("/t/")];
  place.foreign.add("t/a");
  await place.run(args, []);
  if (fs.existsSync(moved)) fs.rmSync(tree);
  if (fs.existsSync(moved)) fs.renameSync(moved, tree);
  place.foreign.clear();
  await place.checkLast(args);
}

const plants: readonly ((folder: string, victim: string) => void)[] = [
  (folder, victim) => {
    fs.mkdirSync(folder);
    fs.writeFileSync(join(folder, "owner-0---"), "");
    fs.symlinkSync(victim, join(folder, "state.new"));
  },
  (folder, victim) => {
    fs.mkdirSync(folder);
    fs.writeFileSync(join(folder, "owner-0---"), "");
    fs.symlinkSync(victim, join(folder, "data"));
  },
  (folder) => fs.mkdirSync(folder),
  (folder, victim) => fs.symlinkSync(join(victim, ".."), folder),
  (folder, victim) => fs.symlinkSync(victim, `${folder}.ftpull`),
];

export async function otherUser(random: Random, began: Began): Promise<void> {
  const place = began(await treePlace(random, 20));
  const tree = place.server.url("/t/");
  fs.chmodSync(place.cwd, 0o1777);
  for (const path of place.files.keys()) {
    if (random.chance(0.6)) continue;
    const folder = join(place.cwd, `${path}.ftpull`);
    fs.mkdirSync(join(folder, ".."), { recursive: true, mode: 0o1777 });
    if (random.chance(0.3)) await leave(place, path);
    else random.pick(plants)(folder, join(place.outside, "victim"));
    for (const each of [folder, `${folder}.ftpull`]) {
      if (!fs.lstatSync(each, { throwIfNoEntry: false })) continue;
      giveAway(each);
      place.foreign.add(each.slice(place.cwd.length + 1));
    }
  }
  const planted = Object.entries(localTree(place.cwd)).filter(([path]) => !path.endsWith("/"));
  await place.run(["-r", "-t2", ...random.pick([[], ["-c"], ["-f"]]), tree]);
  expect(localTree(place.cwd)).toMatchObject(Object.fromEntries(planted));
  for (const path of place.foreign) fs.rmSync(join(place.cwd, path), { recursive: true });
  place.foreign.clear();
  await place.checkLast(["-r", "-f", tree]);
}

/** Makes of a folder, such as a run leaves, one with all octets but wrong ones. */
async function leave(place: Place, path: string): Promise<void> {
  const folder = join(place.cwd, `${path}.ftpull`);
  const octets = Buffer.from(place.files.get(path)![0]!);
  octets.fill("!", 0, Math.max(0, octets.length - 4096));
  fs.mkdirSync(folder);
  fs.writeFileSync(join(folder, "owner-0---"), "");
  fs.writeFileSync(join(folder, "data"), octets.subarray(0, -1));
  const url = place.server.url(`/${path}`);
  const modified = "2020-01-02T03:04:05.000Z";
  fs.writeFileSync(
    join(folder, "state.json"),
    JSON.stringify({ url, size: octets.length, modified }),
  );
}

function giveAway(path: string): void {
  const below = fs.lstatSync(path).isDirectory() ? fs.readdirSync(path) : [];
  for (const each of ["", ...below]) fs.lchownSync(join(path, each), stranger, stranger);
}
