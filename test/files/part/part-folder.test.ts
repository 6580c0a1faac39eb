import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import * as fs from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, onTestFinished, test } from "vitest";
import { noOwner, type Owner, ownerName, thisProcess } from "../../../src/files/part/owner.ts";
import { NamedFile } from "../../../src/files/part/named-file.ts";
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
    expect(PartFolder.reserve(path)).toBe(`this run is writing it as "${path}"`);
  });

  test("is told until it has ended", async () => {
    const other = spawn("sh", ["-c", "read line"], { stdio: ["pipe", "ignore", "ignore"] });
    onTestFinished(() => void other.kill());
    const stat = fs.readFileSync(`/proc/${other.pid}/stat`, "latin1");
    leftBy({ pid: other.pid!, start: stat.replace(/^.*\) /s, "").split(" ")[19]! });
    expect(PartFolder.reserve(path)).toBe(`process ${other.pid} is writing it`);
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
    expect(PartFolder.reserve(path)).toBe("process 1 is writing it");
    writtenAt(11, ".", "state.json");
    writtenAt(9, "data");
    expect(PartFolder.reserve(path)).toBe("process 1 is writing it");
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

  test("by a kill of the process that was removing it goes", () => {
    fs.mkdirSync(`${path}.ftpull`);
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
    const message = `cannot write "${path}.ftpull": another program has put it there: ${because}`;
    const hint = "move it away: names that end in .ftpull are this program's";
    const error = expect.objectContaining({ kind: "file", message, hint }) as Error;
    expect(() => PartFolder.reserve(path)).toThrow(error);
    expect(fs.lstatSync(`${path}.ftpull`)).toMatchObject({ ino: before.ino, mtime: before.mtime });
  });
});

describe.runIf(process.getuid?.() === 0)("another user's", () => {
  const nobody = 65_534;
  const plant = (owner = noOwner): void => {
    leavePart(path, "evil", document, owner);
    for (const name of ["data", "state.json", owner])
      fs.chownSync(`${path}.ftpull/${name}`, nobody, nobody);
    fs.chownSync(`${path}.ftpull`, nobody, nobody);
  };

  test.each([noOwner, ownerName({ ...thisProcess(), ...gone })])(
    "is an error that names the user, and stays: %s",
    (owner) => {
      plant(owner);
      expect(() => PartFolder.reserve(path)).toThrow(
        `cannot write "${path}.ftpull": it belongs to user "nobody"`,
      );
      expect(names()).toEqual(["data", owner, "state.json"].toSorted());
    },
  );

  test("has a number where the system knows no name", () => {
    plant();
    fs.chownSync(`${path}.ftpull`, 3_999_999, 0);
    expect(() => PartFolder.reserve(path)).toThrow("it belongs to user 3999999");
  });
});

describe("what was planted in a folder that others could write to", () => {
  test.each<[what: string, plant: (name: string, victim: string) => void]>([
    ["a link", (name, victim) => fs.symlinkSync(victim, name)],
    ["a second name of a file", (name, victim) => fs.linkSync(victim, name)],
    ["a FIFO", (name) => void execFileSync("mkfifo", [name])],
  ])("is never written to: %s", async (_what, plant) => {
    const victim = join(path, "../victim");
    fs.writeFileSync(victim, "kept");
    leavePart(path, "abc", document);
    fs.chmodSync(`${path}.ftpull`, 0o777);
    for (const name of ["data", "state.json"]) fs.rmSync(`${path}.ftpull/${name}`);
    for (const name of ["data", "data.new", "state.json", "state.new"])
      plant(`${path}.ftpull/${name}`, victim);
    const folder = taken();
    expect(folder.read()).toBeUndefined();
    expect(fs.statSync(`${path}.ftpull`).mode & 0o777).toBe(0o700);
    folder.write(document);
    const file = new NamedFile(path, "replace");
    folder.remove();
    file.open({ ...document, size: 100_000 }, [[0, 100_000]]);
    await file.writeAt(0, Buffer.from("octets"));
    await file.discard();
    expect(fs.readFileSync(victim, "latin1")).toBe("kept");
    expect(names(join(path, ".."))).toEqual(["victim"]);
  });
});

describe("a process elsewhere that was asleep, not gone,", () => {
  const elsewhere = { ...gone, machine: "elsewhere-4026531836" };
  const old = new Date(Date.now() - 11 * 60_000);

  function takenFromElsewhere(): { folder: PartFolder; fd: number } {
    leftBy(elsewhere);
    const fd = fs.openSync(`${path}.ftpull/data`, "a");
    onTestFinished(() => fs.closeSync(fd));
    for (const name of ["data", "state.json", "."])
      fs.utimesSync(`${path}.ftpull/${name}`, old, old);
    return { folder: taken(), fd };
  }

  test("goes on writing to a file that has no name any more", () => {
    const { folder, fd } = takenFromElsewhere();
    expect(folder.read()).toEqual(beginning);
    expect(names()).toEqual(["data", ownerName(thisProcess()), "state.json"].toSorted());
    fs.renameSync(folder.data, path);
    fs.writeSync(fd, "late");
    expect(fs.readFileSync(path, "latin1")).toBe("abc");
  });

  test("is copied from, also by the next process, where one was killed meanwhile", () => {
    leftBy({ ...gone, machine: `${thisProcess().machine}-copies` });
    const before = fs.statSync(`${path}.ftpull/data`).ino;
    fs.writeFileSync(`${path}.ftpull/data.new`, "a");
    expect(PartFolder.reserve(path)).toBe("process 1 is writing it");
    for (const name of ["data", "data.new", "state.json", "."])
      fs.utimesSync(`${path}.ftpull/${name}`, old, old);
    expect(taken().read()).toEqual(beginning);
    expect(fs.statSync(`${path}.ftpull/data`).ino).not.toBe(before);
  });

  test("neither changes the state nor removes the folder", () => {
    const folder = taken();
    folder.write(document);
    fs.writeFileSync(folder.data, "abc");
    const other = ownerName({ ...thisProcess(), ...elsewhere });
    fs.renameSync(`${path}.ftpull/${ownerName(thisProcess())}`, `${path}.ftpull/${other}`);
    const before = fs.readFileSync(`${path}.ftpull/state.json`, "latin1");
    expect(() => folder.write({ ...document, size: 9 })).toThrow(
      "another process has taken it over",
    );
    folder.remove();
    expect(names()).toEqual(["data", other, "state.json"].toSorted());
    expect(fs.readFileSync(`${path}.ftpull/state.json`, "latin1")).toBe(before);
  });
});
