/** A data connection that is reset where the size is unknown: only the reset shows that octets are missing. */
import { expect, test } from "vitest";
import { transfer } from "../support/actions.ts";
import { run } from "../support/run-here.ts";
import { startServer } from "../support/start-server.ts";

const size = 790;

test.each([
  ["passive", false],
  ["passive", true],
  ["active", false],
])("%s: 226 makes no whole document of one that was reset (226 first: %s)", async (mode, early) => {
  const reset = transfer({ first: 83, end: "reset", early, completion: "226 done" });
  const files = { x: { size, seed: 1 } };
  const words = ["-t", "1", "-T", "5", "-O", "-", ...(mode === "active" ? ["--active"] : [])];
  const server = await startServer({ files, on: { SIZE: "550 no", RETR: reset } });
  for (let runs = 0; runs < 6; runs += 1) {
    const { status, stderr, stdoutBytes } = await run([...words, server.url("/x")]);
    expect(stdoutBytes.length).toBeLessThan(size);
    expect(status, stderr).not.toBe(0);
  }
});
