import { spawn } from "node:child_process";
import { once } from "node:events";
import * as fs from "node:fs";
import { basename } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { ownerName, thisProcess } from "../../../src/files/part/owner.ts";
import { removeLeftovers, temporaryPath } from "../../../src/files/part/temporary.ts";
import { at, names, ownDirectory, put } from "../../support/own-directory.ts";

ownDirectory();

const minutes = 60_000;

/** A temporary name of this machine's process with this number, or of another machine's. */
function nameOf(pid: number, isHere = true): string {
  const [, machine = ""] = /-(....)/.exec(basename(temporaryPath("/nonexistent/x"))) ?? [];
  const other = machine === "0000" ? "1111" : "0000";
  const number = pid.toString(16).padStart(6, "0");
  return `.ftpull-${isHere ? machine : other}${number}abcdef`;
}

async function endedProcess(): Promise<number> {
  const child = spawn("true");
  await once(child, "exit");
  return child.pid!;
}

test("it is beside the path, and new each time", () => {
  const [one, other] = [temporaryPath(at("x")), temporaryPath(at("x"))];
  expect(one).toMatch(/\/\.ftpull-[0-9a-f]{16}$/);
  expect(one).not.toBe(other);
  expect([one, other].every((path) => path.startsWith(at("")))).toBe(true);
});

test("what a process has left that is gone goes with the next name there, once in a run", async () => {
  const [one, other] = [nameOf(await endedProcess()), nameOf(await endedProcess())];
  put(one, "octets");
  fs.mkdirSync(at(other));
  fs.writeFileSync(at(`${other}/${ownerName(thisProcess())}`), "");
  fs.mkdirSync(at(nameOf(await endedProcess())));
  temporaryPath(at("x"));
  expect(names()).toEqual([]);
  put(one, "octets");
  temporaryPath(at("y"));
  expect(names()).toEqual([one]);
});

test("what a living process is making stays", () => {
  const child = spawn("sh", ["-c", "read line"], { stdio: ["pipe", "ignore", "ignore"] });
  onTestFinished(() => void child.kill());
  const name = nameOf(child.pid!);
  put(name, "octets");
  removeLeftovers(at("x"), Date.now() + 60 * minutes);
  expect(names()).toEqual([name]);
});

test.each([
  [9, true],
  [11, false],
])("another machine's, %i minutes old: %j", async (age, stays) => {
  const name = nameOf(await endedProcess(), false);
  put(name, "octets");
  removeLeftovers(at("x"), Date.now() + age * minutes);
  expect(names()).toEqual(stays ? [name] : []);
});

test("a symbolic link goes, and what it leads to stays", async () => {
  put("target", "mine");
  fs.symlinkSync("target", at(nameOf(await endedProcess())));
  removeLeftovers(at("x"));
  expect(names()).toEqual(["target"]);
});

test("what no process of the program makes stays", async () => {
  const pid = await endedProcess();
  const folder = `${nameOf(pid).slice(0, -1)}0`;
  fs.mkdirSync(at(folder));
  fs.writeFileSync(at(`${folder}/user`), "mine");
  const others = [
    ".ftpull-mirror",
    nameOf(pid).toUpperCase(),
    `${nameOf(pid)}0`,
    "x.ftpull.ftpull",
  ];
  for (const name of others) put(name, "theirs");
  removeLeftovers(at("x"));
  expect(names()).toEqual([folder, ...others].toSorted());
});

test.runIf(process.getuid?.() === 0)("another user's stays", async () => {
  const name = nameOf(await endedProcess());
  put(name, "theirs");
  fs.chownSync(at(name), 65_534, 65_534);
  removeLeftovers(at("x"));
  expect(names()).toEqual([name]);
});
