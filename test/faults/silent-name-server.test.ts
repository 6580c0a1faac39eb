/** A name server that never answers: the run ends when its work has, not when the system's resolver does. */
import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { at, ownDirectory } from "../support/own-directory.ts";
import { launcher, node } from "../support/run.ts";

const answerless = fileURLToPath(new URL("support/silent-name-server.cjs", import.meta.url));

ownDirectory();

/** Runs words in namespaces of their own: loopback is up, and files of /etc are replaced. */
function inNamespace(etc: Readonly<Record<string, string>>, words: readonly string[]) {
  const mounts = Object.entries(etc).map(([name, content]) => {
    writeFileSync(at(name), content);
    return `mount --bind "${at(name)}" /etc/${name}`;
  });
  const script = ["ip link set lo up", ...mounts, 'exec "$@"'].join(" && ");
  const env = { PATH: process.env["PATH"], HOME: "/nonexistent" };
  const args = ["-rmn", "sh", "-c", script, "sh", ...words];
  return spawnSync("unshare", args, { encoding: "utf8", env });
}

test("a thread that waits for a name server doesn't keep the process", (context) => {
  // glibc asks each of them twice, for 28 s in all.
  const servers = ["127.0.0.1", "127.0.0.2", "127.0.0.3"].map((host) => `nameserver ${host}\n`);
  const etc = { "resolv.conf": servers.join(""), "nsswitch.conf": "hosts: dns\n" };
  if (inNamespace(etc, ["true"]).status !== 0) return context.skip("no namespaces here");
  const program = [launcher, "-T", "1", "-t", "1", "ftp://host.test/x"];
  const { stdout } = inNamespace(etc, [node, answerless, node, ...program]);
  const { status, stderr, seconds } = JSON.parse(stdout) as Record<string, unknown>;
  expect([status, stderr]).toEqual([
    4,
    expect.stringContaining("the name server did not answer within 1 s"),
  ]);
  expect(seconds).toBeLessThan(14);
});
