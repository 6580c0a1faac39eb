import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import * as fs from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, onTestFinished, test } from "vitest";
import { holder, releaseLock, takeLock } from "../../../src/files/part/lock.ts";
import { processStart, thisMachine } from "../../../src/files/part/process-start.ts";
import { temporaryDirectory } from "../../support/temporary-directory.ts";

let directory: string;
let part: string;
beforeEach(async () => {
  directory = await temporaryDirectory();
  part = join(directory, "x.part");
});

const longAgo = new Date(Date.now() - 3_600_000);

/** The lock as another run would have left it on a file system without symbolic links. */
function leaveLock(owner: unknown, written = new Date()): void {
  fs.writeFileSync(`${part}.lock`, JSON.stringify(owner));
  fs.utimesSync(`${part}.lock`, written, written);
}

function running(command: string): ChildProcess {
  const child = spawn("sh", ["-c", command], { stdio: ["ignore", "pipe", "ignore"] });
  onTestFinished(() => void child.kill());
  return child;
}

function ownerOf(pid: number) {
  return { pid, start: processStart(pid), machine: thisMachine() };
}

describe("a lock", () => {
  test("is one run's until it is given back", () => {
    expect(takeLock(part)).toBe(true);
    expect(takeLock(part)).toBe(false);
    expect(holder(part)).toBe("this very run");
    releaseLock(part);
    expect(takeLock(part)).toBe(true);
  });

  test("says whose it is from the moment when it is there", () => {
    expect(takeLock(part)).toBe(true);
    expect(JSON.parse(fs.readlinkSync(`${part}.lock`))).toEqual(ownerOf(process.pid));
    releaseLock(part);
    fs.symlinkSync(JSON.stringify({ ...ownerOf(process.pid), start: "boot 1" }), `${part}.lock`);
    expect(takeLock(part)).toBe(process.platform === "linux");
  });

  test("of a running process is held, and of one that was killed is not", async () => {
    const child = running("exec sleep 100");
    leaveLock(ownerOf(child.pid!));
    expect(takeLock(part)).toBe(false);
    expect(holder(part)).toBe(`process ${child.pid}`);
    child.kill("SIGKILL");
    await once(child, "exit");
    expect(takeLock(part)).toBe(true);
    expect(fs.readdirSync(directory)).toEqual(["x.part.lock"]);
  });

  test.runIf(process.platform === "linux")(
    "of a process that is dead and not yet waited for is not held",
    async () => {
      const child = running("sleep 0.2 & echo $!; exec sleep 100");
      const [pid] = (await once(child.stdout!, "data")) as [Buffer];
      const zombie = Number(String(pid));
      await expect.poll(() => fs.readFileSync(`/proc/${zombie}/stat`, "latin1")).toContain(") Z ");
      leaveLock({ pid: zombie, start: "some boot 1", machine: thisMachine() });
      expect(takeLock(part)).toBe(true);
    },
  );

  test("isn't held by another process that got the same number later", () => {
    leaveLock({ ...ownerOf(process.pid), start: "an earlier boot 1" });
    expect(takeLock(part)).toBe(process.platform === "linux");
  });

  test("on another machine is held as long as something is written", () => {
    const owner = { pid: 1, start: "boot 1", machine: "elsewhere" };
    leaveLock(owner);
    expect(takeLock(part)).toBe(false);
    leaveLock(owner, longAgo);
    fs.writeFileSync(part, "fresh");
    expect(takeLock(part)).toBe(false);
    fs.utimesSync(part, longAgo, longAgo);
    expect(takeLock(part)).toBe(true);
  });

  test.each([null, {}, { pid: 1 }, "x"])("that says %j is held while it may be new", (owner) => {
    leaveLock(owner);
    expect(takeLock(part)).toBe(false);
    leaveLock(owner, longAgo);
    expect(takeLock(part)).toBe(true);
  });

  test("of one who is gone is taken by one at a time, also when that one was killed", () => {
    leaveLock({ ...ownerOf(process.pid), start: "an earlier boot 1" });
    fs.writeFileSync(`${part}.take`, "");
    expect(takeLock(part)).toBe(false);
    fs.utimesSync(`${part}.take`, longAgo, longAgo);
    expect(takeLock(part)).toBe(process.platform === "linux");
  });
});
