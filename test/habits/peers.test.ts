/**
 * Whether wget, curl and lftp do what the table says, on the real vsftpd. Runs with PEERS=1 alone, since
 * other versions of them may do otherwise.
 */
import { execFile } from "node:child_process";
import { chmodSync, mkdirSync, symlinkSync, utimesSync, writeFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import { dirname, join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { realServer } from "../real/support/servers.ts";
import { loopbackCertificate } from "../support/certificates.ts";
import { listenOn } from "../support/ports.ts";
import { temporaryDirectory } from "../support/temporary-directory.ts";
import { archive, filledIn, links, named } from "./archive.ts";
import { commands, type HabitualCommand, wordsOf } from "./commands.ts";
import { filesIn, fill } from "./folder.ts";

test.skipIf(process.env["PEERS"] !== "1").each(commands)("$typed", async (command) => {
  const port = await portFor(command);
  const folder = await temporaryDirectory();
  fill(folder, command, port);
  const { status, stdout } = await runPeer(command.typed, folder, port);
  const isReport = command.typed.startsWith("lftp") && named(stdout) === "other";
  const files = Object.entries(filesIn(folder, command, port)).filter(([path]) => !isAside(path));
  expect({
    status,
    stdout: isReport ? "nothing" : named(stdout),
    files: Object.fromEntries(files),
  }).toEqual({ status: 0, stdout: "nothing", files: {}, ...command.peer });
});

/** What wget writes beside its documents. */
function isAside(path: string): boolean {
  return /(?:^|\/)(?:\.listing|(?:wget\.)?log)$/.test(path);
}

async function portFor({ typed, tls }: HabitualCommand): Promise<number> {
  const root = await served();
  if (/ HOST\/|urls\.txt/.test(typed)) return httpPort(root);
  const pair = { key: join(root, "../key.pem"), cert: join(root, "../cert.pem") };
  const secured = tls && { tls: { ...pair, implicit: tls === "implicit" } };
  const server = await realServer("vsftpd", { root, ...secured });
  onTestFinished(() => server.close());
  return server.port;
}

/** Without a scheme, wget asks by HTTP. */
async function httpPort(root: string): Promise<number> {
  const server = createServer((request, response) => {
    void readFile(join(root, request.url ?? "")).then((content) => response.end(content));
  });
  onTestFinished(() => void server.close());
  return listenOn(server);
}

/** The archive in a folder that the server's user may read. */
async function served(): Promise<string> {
  const above = await temporaryDirectory();
  chmodSync(above, 0o755);
  const root = join(above, "root");
  for (const [pathname, { content, modified }] of Object.entries(archive)) {
    const path = join(root, pathname);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, content);
    utimesSync(path, modified, modified);
  }
  for (const [pathname, target] of Object.entries(links)) symlinkSync(target, join(root, pathname));
  writeFileSync(join(above, "key.pem"), loopbackCertificate.key);
  writeFileSync(join(above, "cert.pem"), loopbackCertificate.cert);
  chmodSync(root, 0o555);
  onTestFinished(() => chmodSync(root, 0o755));
  return root;
}

async function runPeer(
  typed: string,
  cwd: string,
  port: number,
): Promise<{ status: number; stdout: string }> {
  const [program = "", ...words] = wordsOf(typed).map((word) => filledIn(word, port));
  const home = await temporaryDirectory();
  const env = { PATH: process.env["PATH"], HOME: home, LC_ALL: "C.UTF-8", TZ: "UTC" };
  return new Promise((resolve) => {
    const child = execFile(program, words, { cwd, env, encoding: "latin1" }, (error, stdout) =>
      resolve({ status: error === null ? 0 : Number(error.code), stdout }),
    );
    child.stdin?.end();
  });
}
