import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import * as fs from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, onTestFinished, test } from "vitest";
import { noOwner, type Owner, ownerName, thisProcess } from "../../../src/files/part/owner.ts";
import { PartFolder } from "../../../src/files/part/part-folder.ts";
import { leavePart } from "../../support/part.ts";
import { temporaryDirectory } from "../../support/temporary-directory.ts";

let path: string;
beforeEach(async () => {
  path = join(await temporaryDirectory(), "x");
});

const document = { url: "ftp://h/x", size: 6, modified: undefined };
const beginning = { octets: 3, document };
const names = (folder = `${path}.ftpull`) => fs.readdirSync(folder).toSorted();

function taken(): PartFolder {
  const folder = PartFolder.reserve(path);
  if (typeof folder === "string") throw new Error(`${folder} has it`);
  return folder;
}

/** What a process leaves that was killed. */
const leftBy = (owner: Partial<Owner>) =>
  leavePart(path, "abc", document, ownerName({ ...thisProcess(), ...owner }));
const gone = { pid: 1, start: "1" };

test("it is there with its owner, and nothing else beside it", () => {
  const folder = taken();
  expect(names(join(path, ".."))).toEqual(["x.ftpull"]);
  expect(names()).toEqual([ownerName(thisProcess())]);
  folder.remove();
  expect(names(join(path, ".."))).toEqual([]);
});

describe("a process that has it", () => {
  test("is told, be it this one", () => {
    taken();
    expect(PartFolder.reserve(path)).toBe("this very run");
  });

  test("is told until it has ended", async () => {
    const other = spawn("sh", ["-c", "read line"], { stdio: ["pipe", "ignore", "ignore"] });
    onTestFinished(() => void other.kill());
    const stat = fs.readFileSync(`/proc/${other.pid}/stat`, "latin1");
    leftBy({ pid: other.pid!, start: stat.replace(/^.*\) /s, "").split(" ")[19]! });
    expect(PartFolder.reserve(path)).toBe(`process ${other.pid}`);
    other.kill();
    await once(other, "exit");
    expect(taken().read()).toEqual(beginning);
  });

  test("counts as running on another machine until it has written nothing for ten minutes", () => {
    leftBy({ ...gone, machine: "elsewhere-4026531836" });
    const writtenAt = (minutes: number, ...written: string[]): void => {
      const time = new Date(Date.now() - minutes * 60_000);
      for (const name of written) fs.utimesSync(join(`${path}.ftpull`, name), time, time);
    };
    expect(PartFolder.reserve(path)).toBe("process 1");
    writtenAt(11, ".", "state.json");
    writtenAt(9, "data");
    expect(PartFolder.reserve(path)).toBe("process 1");
    writtenAt(11, "data");
    expect(PartFolder.reserve(path)).toBeInstanceOf(PartFolder);
  });

  test("is gone when the machine has started again, whatever has its number now", () => {
    leftBy({ boot: "0123456789ab" });
    expect(PartFolder.reserve(path)).toBeInstanceOf(PartFolder);
  });
});

describe("what is left", () => {
  test("counts after a kill", () => {
    leftBy(gone);
    expect(taken().read()).toEqual(beginning);
    expect(names()).toEqual(["data", ownerName(thisProcess()), "state.json"].toSorted());
  });

  test.each(["0123456789ab", ""])("doesn't after a kill in another start: %j", (boot) => {
    leftBy({ ...gone, boot });
    expect(taken().read()).toEqual({ ...beginning, document: undefined });
  });

  test("counts when the run had ended in order, whenever that was", () => {
    leavePart(path, "abc", document);
    expect(taken().read()).toEqual(beginning);
  });

  test("can be taken when it was left, and has its octets on the disk", async () => {
    const folder = taken();
    folder.write(document);
    fs.writeFileSync(folder.data, "abc");
    await folder.keep();
    expect(names()).toEqual(["data", noOwner, "state.json"].toSorted());
    expect(taken().read()).toEqual(beginning);
  });

  test("isn't built on when the octets have got their name already", () => {
    leftBy(gone);
    fs.linkSync(`${path}.ftpull/data`, path);
    expect(taken().read()).toBeUndefined();
  });

  test.each([
    ["an empty folder", () => fs.mkdirSync(`${path}.ftpull`)],
    ["one that was being made", () => fs.mkdirSync(`${path}.ftpull.ftpull`)],
    [
      "one that was being made, with its owner",
      () => {
        fs.mkdirSync(`${path}.ftpull.ftpull`);
        fs.writeFileSync(`${path}.ftpull.ftpull/${ownerName({ ...thisProcess(), ...gone })}`, "");
      },
    ],
    ["a small document", () => fs.writeFileSync(`${path}.ftpull.ftpull`, "ab")],
  ])("by a kill goes: %s", (_what, leave) => {
    leave();
    taken().remove();
    expect(names(join(path, ".."))).toEqual([]);
  });
});

describe("another program's is named and stays:", () => {
  const folder = (...inside: string[]) => {
    fs.mkdirSync(`${path}.ftpull`);
    for (const name of inside) fs.writeFileSync(`${path}.ftpull/${name}`, "theirs");
  };
  test.each<[what: string, because: string, plant: () => void]>([
    ["a file", "it is no directory", () => fs.writeFileSync(`${path}.ftpull`, "theirs")],
    ["a FIFO", "it is no directory", () => void execFileSync("mkfifo", [`${path}.ftpull`])],
    ["a link", "it is no directory", () => fs.symlinkSync("/tmp", `${path}.ftpull`)],
    ["a folder without an owner", "it has no owner", () => folder("data", "state.json")],
    ["a folder with another file", 'it has "photo.jpg"', () => folder(noOwner, "photo.jpg")],
  ])("%s", (_what, because, plant) => {
    plant();
    const before = fs.lstatSync(`${path}.ftpull`);
    expect(() => PartFolder.reserve(path)).toThrow(
      `cannot write "${path}.ftpull": another program has put it there: ${because}`,
    );
    expect(fs.lstatSync(`${path}.ftpull`)).toMatchObject({ ino: before.ino, mtime: before.mtime });
  });

  test.each<[what: string, plant: (making: string) => void]>([
    ["a FIFO", (making) => void execFileSync("mkfifo", [making])],
    ["a link to a folder", (making) => fs.symlinkSync("/tmp", making)],
  ])("%s where the folder is made", (_what, plant) => {
    plant(`${path}.ftpull.ftpull`);
    expect(() => PartFolder.reserve(path)).toThrow("another program has put it there");
    expect(names(join(path, ".."))).toEqual(["x.ftpull.ftpull"]);
  });
});
