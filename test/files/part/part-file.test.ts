/** Partial files of several runs: which one may go on, and what another one finds. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import fs from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import { hostname } from "node:os";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { PartFile } from "../../../src/files/part/part-file.ts";
import { readState } from "../../../src/files/part/part-state.ts";
import { beforeCall } from "../../support/before-call.ts";
import { at, names, ownDirectory, put, text } from "../../support/own-directory.ts";
import { endedProcess, leavePart } from "../../support/part.ts";

const version = { url: "ftp://h/x", size: 100_000, modified: new Date("2001-02-03T04:05:06Z") };

ownDirectory();

const left = () => PartFile.left(at("x"));
const resumed = () => PartFile.open(at("x"), version, true);
const begun = () => PartFile.open(at("x"), version, false);
const publish = (part: PartFile) => part.whole(undefined, (own) => fs.renameSync(own, at("x")));
const isWriting = (pid: number) => `cannot write "${at("x")}": process ${pid} is writing it`;
const takenOver = "another run has taken it over, or removed its state";

function begunWith(octets: string): PartFile {
  const part = begun();
  part.cut(0, true);
  part.write(0, Buffer.from(octets));
  return part;
}

/** Makes the state another run's. */
function takeOver(): void {
  leavePart(at("y"), "", version, { host: "elsewhere", pid: 1 });
  fs.renameSync(at("y.ftpull.json"), at("x.ftpull.json"));
  fs.rmSync(at("y.ftpull"));
}

function expectUntouched(octets: string): void {
  expect([text("x.ftpull"), names()]).toEqual([octets, ["x.ftpull", "x.ftpull.json"]]);
  expect(readState(at("x"))?.run).toBe("0123456789abcdef");
}

describe("a state", () => {
  test("keeps other runs off until its process has ended", async () => {
    const other = spawn("sh", ["-c", "read line"], { stdio: ["pipe", "ignore", "ignore"] });
    onTestFinished(() => void other.kill());
    leavePart(at("x"), "abc", version, { pid: other.pid! });
    for (const take of [resumed, begun]) expect(take).toThrow(isWriting(other.pid!));
    expectUntouched("abc");
    other.kill();
    await once(other, "exit");
    expect(resumed().octets).toBe(3);
  });

  test.each<[claim: string, writer: Parameters<typeof leavePart>[3]]>([
    ["of a process that is gone", {}],
    ["of a process that had this one's number", { pid: process.pid }],
    ["of a run that ended in order on another host", { host: "elsewhere", pid: null }],
    ["with a damaged number", { pid: -1 }],
  ])("%s keeps none off", (_claim, writer) => {
    leavePart(at("x"), "abc", version, writer);
    expect(left()).toMatchObject({ octets: 3, version });
    const part = resumed();
    part.write(3, Buffer.from("def"));
    publish(part);
    expect([text("x"), names()]).toEqual(["abcdef", ["x"]]);
  });

  test("takes the private file with it that a kill left while it was published", () => {
    leavePart(at("x"), "abc", version);
    for (const run of ["0123456789abcdef", "fedcba9876543210"]) put(`.ftpull-${run}`, "abc");
    begun().remove();
    expect(names()).toEqual([".ftpull-fedcba9876543210"]);
  });

  test.runIf(process.getuid?.() === 0)(
    "of this user counts as an ended run's where another user's process has its number",
    () => {
      leavePart(at("x"), "abc", version, { pid: 1 });
      // A process without rights over the other one: as root, this one would have them.
      vi.spyOn(process, "kill").mockImplementation(() => {
        throw Object.assign(new Error("EPERM"), { code: "EPERM" });
      });
      onTestFinished(() => void vi.restoreAllMocks());
      expect(resumed().octets).toBe(3);
    },
  );

  test("of another host counts as an ended run's when nothing was written for ten minutes", () => {
    leavePart(at("x"), "abc", version, { host: `not ${hostname()}`, pid: endedProcess });
    const writtenAt = (minutes: number, name: string): void => {
      const time = new Date(Date.now() - minutes * 60_000);
      fs.utimesSync(at(name), time, time);
    };
    writtenAt(11, "x.ftpull.json");
    writtenAt(9, "x.ftpull");
    expect(resumed).toThrow(isWriting(endedProcess));
    writtenAt(11, "x.ftpull");
    expect(resumed().octets).toBe(3);
  });

  test("that another run makes, or takes over, at the same moment counts", () => {
    const other = { pid: process.ppid };
    const make = () => leavePart(at("x"), "theirs", version, other);
    beforeCall("linkSync", ".ftpull-", make);
    expect(begun).toThrow(isWriting(process.ppid));
    expectUntouched("theirs");
    leavePart(at("x"), "theirs", version);
    beforeCall("renameSync", ".ftpull-", () => fs.rmSync(at("x.ftpull.json")));
    const part = begun();
    expect(text("x.ftpull")).toBe("");
    part.remove();
    expect(names()).toEqual([]);
  });

  test("that another run takes over right behind this one counts", () => {
    leavePart(at("x"), "abc", version);
    const { openSync } = fs;
    let reads = 0;
    failing("openSync", (path, ...others) => {
      const isLast = path === at("x.ftpull.json") && ++reads === 2;
      if (isLast) leavePart(at("x"), "abc", version, { pid: process.ppid });
      return openSync(path, ...others);
    });
    expect(begun).toThrow(isWriting(process.ppid));
    expectUntouched("abc");
  });
});

describe("a run whose partial file another one has taken over", () => {
  test("neither cuts nor publishes it, and moves it back", () => {
    const part = begunWith("abcdef");
    takeOver();
    expect(() => part.cut(3, true)).toThrow(takenOver);
    expect(() => part.cut(6, false)).toThrow(takenOver);
    expect(() => publish(part)).toThrow(takenOver);
    expectUntouched("abcdef");
  });

  test("leaves the new file that the other one has begun, or published", () => {
    const part = begunWith("abcdef");
    fs.rmSync(at("x.ftpull"));
    put("x.ftpull", "theirs");
    takeOver();
    expect(() => publish(part)).toThrow(takenOver);
    expectUntouched("theirs");
    const late = PartFile.open(at("y"), version, false);
    for (const name of ["y.ftpull", "y.ftpull.json"]) fs.rmSync(at(name));
    expect(() => publish(late)).toThrow("no such file or directory");
    expectUntouched("theirs");
  });

  test("neither keeps nor removes it", () => {
    for (const end of ["keep", "remove"] as const) {
      const part = begunWith("abcdef");
      takeOver();
      expect(part[end]() ?? 0).toBe(0);
      expectUntouched("abcdef");
      for (const name of names()) fs.rmSync(at(name));
    }
  });

  test("does so, too, if that happens while the file has its private name", () => {
    const part = begunWith("abcdef");
    beforeCall("lstatSync", ".ftpull-", () => {
      takeOver();
      put("x.ftpull", "theirs");
    });
    const give = () => {
      throw new Error("no name");
    };
    expect(() => part.whole(undefined, give)).toThrow("no name");
    expect(text("x.ftpull")).toBe("theirs");
  });
});

test("a partial file that another program has changed gets no name", () => {
  for (const harm of [
    () => fs.truncateSync(at("x.ftpull"), 2),
    () => fs.appendFileSync(at("x.ftpull"), "more"),
    () => fs.renameSync(at("theirs"), at("x.ftpull")),
  ]) {
    put("theirs", "abc");
    const part = begunWith("abc");
    harm();
    expect(() => publish(part)).toThrow('x.ftpull": another program has changed it');
    part.keep();
    fs.rmSync(at("theirs"), { force: true });
    expect(names()).toEqual([]);
  }
});

test("a partial file that fails to get its name is there as it was", () => {
  const part = begunWith("abc");
  const give = () => {
    throw new Error("no");
  };
  expect(() => part.whole(version.modified, give)).toThrow("no");
  expect(part.keep()).toBe(3);
  expect(left()).toMatchObject({ octets: 3, version });
});

test.each([
  ["state", "x.ftpull.json", "read"],
  ["data", "x.ftpull", "write"],
])("a partial file whose %s can't be opened now stays for a later run", (_claim, name, verb) => {
  leavePart(at("x"), "abc", version);
  const { openSync } = fs;
  failing("openSync", (path, ...others) => {
    if (path === at(name)) throw Object.assign(new Error("EMFILE"), { code: "EMFILE", errno: -24 });
    return openSync(path, ...others);
  });
  expect(resumed).toThrow(`cannot ${verb} "${at(name)}": too many open files`);
  fs.openSync = openSync;
  syncBuiltinESMExports();
  expect([text("x.ftpull"), readState(at("x"))]).toMatchObject(["abc", version]);
});

test("a partial file with a second link isn't gone on with, also where it came after the look", () => {
  leavePart(at("x"), "abc", version);
  fs.linkSync(at("x.ftpull"), at("theirs"));
  expect(left()).toBeUndefined();
  expect(resumed).toThrow('x.ftpull": another program has changed it');
  expect(text("theirs")).toBe("abc");
});

test("a partial file that can't be made leaves no state", () => {
  const { openSync } = fs;
  failing("openSync", (path, ...others) => {
    if (path === at("x.ftpull"))
      throw Object.assign(new Error("EMFILE"), { code: "EMFILE", errno: -24 });
    return openSync(path, ...others);
  });
  expect(begun).toThrow("too many open files");
  expect(names()).toEqual([]);
});

function failing(name: "openSync", call: typeof fs.openSync): void {
  const original = fs[name];
  fs[name] = call;
  syncBuiltinESMExports();
  onTestFinished(() => {
    fs[name] = original;
    syncBuiltinESMExports();
  });
}
