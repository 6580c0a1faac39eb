/** Storms of other users, who plant links and partial files in a directory that all may write to. */
import * as fs from "node:fs";
import { join } from "node:path";
import type { Random } from "./random.ts";
import { type Began, type Place, treePlace } from "./storm-place.ts";

const stranger = 12_345;

const plants: readonly ((path: string, victim: string) => void)[] = [
  (path, victim) => fs.symlinkSync(victim, `${path}.ftpull`),
  (path, victim) => fs.symlinkSync(victim, `${path}.ftpull.json`),
  (path) => fs.writeFileSync(`${path}.ftpull`, ""),
  (path) => fs.writeFileSync(`${path}.ftpull.json`, "{}"),
];

/** Whatever others have left, no octet of theirs gets into a file, and nothing is written behind their links. */
export async function otherUser(random: Random, began: Began): Promise<void> {
  const place = began(await treePlace(random, 20));
  const tree = place.server.url("/t/");
  fs.chmodSync(place.cwd, 0o1777);
  for (const path of place.files.keys()) {
    if (random.chance(0.6)) continue;
    const local = join(place.cwd, path);
    fs.mkdirSync(join(local, ".."), { recursive: true, mode: 0o1777 });
    if (random.chance(0.3)) leave(place, path);
    else random.pick(plants)(local, join(place.outside, "victim"));
    for (const each of [`${local}.ftpull`, `${local}.ftpull.json`])
      if (fs.lstatSync(each, { throwIfNoEntry: false })) fs.lchownSync(each, stranger, stranger);
  }
  await place.run(["-r", "-t2", ...random.pick([[], ["-c"], ["-f"]]), tree]);
  await place.run(["-r", "-f", tree]);
}

/** Makes a partial file, such as a run leaves, with all octets but wrong ones. */
function leave(place: Place, path: string): void {
  const octets = Buffer.from(place.files.get(path)![0]!, "latin1");
  octets.fill("!", 0, Math.max(0, octets.length - 4096));
  const local = join(place.cwd, path);
  fs.writeFileSync(`${local}.ftpull`, octets.subarray(0, -1));
  const url = place.server.url(`/${path}`);
  const modified = "2020-01-02T03:04:05.000Z";
  const state = { url, size: octets.length, modified, host: "elsewhere", pid: 1, run: "0" };
  fs.writeFileSync(`${local}.ftpull.json`, JSON.stringify(state));
}
