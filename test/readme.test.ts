/** The one-liners of the README, typed as they stand: only the names of hosts are others. */
import { execFile, execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { loopbackCertificate } from "./support/certificates.ts";
import { generatedOctets } from "./support/generated.ts";
import { localFiles } from "./support/local-tree.ts";
import { caches, launcher, node } from "./support/run.ts";
import { startServer } from "./support/start-server.ts";
import { temporaryDirectory } from "./support/temporary-directory.ts";

const readme = readFileSync("README.md", "utf8");
const [, block = ""] = /^## Ten one-liners\n\n```sh\n([^]*?)```/m.exec(readme) ?? [];
const commands = block.split("\n").filter((line) => /^[^#]/.test(line));

/** The files that each command leaves: what the server has under the last name of the path. */
const left: readonly (readonly string[])[] = [
  ["README"],
  ["downloads/a.txt", "downloads/b.txt"],
  ["image.iso"],
  ["tool.tar.gz"],
  ["news.txt"],
  ["tool/inside"],
  ["tool.tar.gz"],
  ["texts/a.txt", "texts/b.txt", "texts/news.txt"],
  ["report.pdf"],
  ["manual.pdf"],
];

/** An archive of one file. */
async function archive(): Promise<Buffer> {
  const folder = await temporaryDirectory();
  mkdirSync(join(folder, "tool"));
  writeFileSync(join(folder, "tool/inside"), "inside\n");
  return execFileSync("tar", ["-czf", "-", "tool"], { cwd: folder });
}

const small = ["README", "a.txt", "b.txt", "news.txt", "manual.pdf", "report.pdf"];

/** The server's files by their names: "report.pdf" is in the login directory, the others in "pub". */
async function served(): Promise<Record<string, Buffer>> {
  const tool = await archive();
  const sum = createHash("sha256").update(tool).digest("hex");
  return {
    ...Object.fromEntries(small.map((name) => [name, Buffer.from(`${name}\n`)])),
    "image.iso": generatedOctets(1, 0, 3_000_000),
    "tool.tar.gz": tool,
    SHA256SUMS: Buffer.from(`${sum}  tool.tar.gz\n`),
  };
}

/** A folder of programs: ftpull, and a password store. */
async function programs(): Promise<string> {
  const folder = await temporaryDirectory();
  for (const [name, words] of [
    ["ftpull", `exec '${node}' '${launcher}' "$@"`],
    ["pass", "echo secret"],
  ] as const) {
    writeFileSync(join(folder, name), `#!/bin/sh\n${words}\n`);
    chmodSync(join(folder, name), 0o755);
  }
  return folder;
}

test("there are ten commands", () => {
  expect(commands).toHaveLength(left.length);
});

test.each(commands.map((command, index) => [command, left[index] ?? []] as const))(
  "%s",
  async (command, paths) => {
    const modified = new Date("2026-01-02T03:04:05Z");
    const all = await served();
    const files = Object.fromEntries(
      Object.entries(all).map(([name, content]) => [
        name === "report.pdf" ? name : `pub/${name}`,
        { content, modified },
      ]),
    );
    const users = { alice: { password: "secret" } };
    const server = await startServer({ files, users, tls: loopbackCertificate });
    const folder = await temporaryDirectory();
    writeFileSync(join(folder, "ca.pem"), loopbackCertificate.cert);
    writeFileSync(
      join(folder, "urls.txt"),
      `${server.url("/pub/a.txt")}\n${server.url("/pub/b.txt")}\n`,
    );

    const typed = command.replaceAll("ftp.example.com", `127.0.0.1:${server.port}`);
    const env = {
      PATH: `${await programs()}:${process.env["PATH"]}`,
      HOME: folder,
      XDG_CACHE_HOME: caches,
    };
    await promisify(execFile)("sh", ["-c", typed], { cwd: folder, env });

    const { "ca.pem": _ca, "urls.txt": _urls, ...here } = localFiles(folder);
    expect(Object.keys(here).toSorted()).toEqual(paths);
    for (const [path, content] of Object.entries(here)) {
      const octets = all[basename(path)]?.toString("latin1") ?? "inside\n";
      expect(content === octets, path).toBe(true);
    }
  },
);
