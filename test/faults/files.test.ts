import { execFileSync } from "node:child_process";
import * as fs from "node:fs";
import { describe, expect, onTestFinished, test } from "vitest";
import { generatedOctets } from "../support/generated.ts";
import { at, cwd, ownDirectory } from "../support/own-directory.ts";
import { run } from "../support/run-here.ts";
import { startServer } from "../support/start-server.ts";

const size = 700_000;
const whole = generatedOctets(3, 0, size);
const modified = new Date("2020-01-02T03:04:05Z");
const files = { x: { content: { size, seed: 3 }, modified } };

ownDirectory();

function mounted(): boolean {
  if (process.platform !== "linux" || process.getuid?.() !== 0) return false;
  try {
    const options = ["-t", "tmpfs", "-o", "size=1m", "ftpull", cwd];
    execFileSync("mount", options, { stdio: "ignore" });
  } catch {
    return false; // root of a container that may not mount
  }
  const directory = cwd;
  onTestFinished(() => void execFileSync("umount", [directory]));
  return true;
}

describe("exit 3, and what was there is still there", () => {
  test("a disk that is full; with room made, the same command finishes it", async (context) => {
    if (!mounted()) return context.skip();
    const server = await startServer({ files });
    const url = server.url("/x");
    fs.writeFileSync(at("filling"), Buffer.alloc(600_000));
    fs.writeFileSync(at("x"), "old");
    fs.utimesSync(at("x"), 0, 0);
    const full = await run(["-q", "-N", url], { cwd });
    const failure = `ftpull: ${url}: cannot write "x.ftpull": no space left on device; stopped at `;
    expect([full.status, full.stderr]).toEqual([3, expect.stringContaining(failure)]);
    expect(fs.readFileSync(at("x"), "latin1")).toBe("old");
    fs.rmSync(at("filling"));
    expect(await run(["-qN", url], { cwd })).toMatchObject({ status: 0, stderr: "" });
    expect(server.commands.some((command) => /^REST [1-9]/.test(command))).toBe(true);
    expect(fs.readFileSync(at("x")).equals(whole)).toBe(true);
    expect(fs.readdirSync(cwd)).toEqual(["x"]);
  });

  test("a file that can't be written doesn't stop the others", async () => {
    const server = await startServer({ files: { "d/f0": "0", "d/f1": "1", "d/f2": "2" } });
    fs.mkdirSync(at("f0"));
    const urls = ["f0", "f1", "f2"].map((name) => server.url(`/d/${name}`));
    expect(await run(["-q", "-f", ...urls], { cwd })).toMatchObject({ status: 3 });
    expect(fs.readdirSync(cwd)).toEqual(["f0", "f1", "f2"]);
  });
});

test("-c of a name that turns out to be a directory leaves the file here alone", async () => {
  const server = await startServer({ files: { "x/y": "y" } });
  fs.writeFileSync(at("x"), "old");
  const { status } = await run(["-qc", server.url("/x")], { cwd });
  expect(status).toBe(8);
  expect([fs.readdirSync(cwd), fs.readFileSync(at("x"), "latin1")]).toEqual([["x"], "old"]);
});
