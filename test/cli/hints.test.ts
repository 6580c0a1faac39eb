/** Hints as a run shows them: they name a URL or an option, never a command, and no password. */
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { ScriptedProxy } from "../net/support/scripted-proxy.ts";
import { loopbackCertificate } from "../support/certificates.ts";
import { run } from "../support/run-here.ts";
import { startServer } from "../support/start-server.ts";
import { temporaryDirectory } from "../support/temporary-directory.ts";

const files = { "pub/x": "text" };

function hintsOf(stderr: string): string[] {
  return stderr.match(/^hint: .*/gm) ?? [];
}

test("the user and TLS that options add stand in the URL of the hint", async () => {
  const users = { "al ice": { password: "secret" } };
  const server = await startServer({ files, users, tls: loopbackCertificate });
  const certificate = join(await temporaryDirectory(), "ca.pem");
  await writeFile(certificate, loopbackCertificate.cert);
  const words = ["--tls", "--user", "al ice", "--ca-certificate", certificate];
  const env = { FTPULL_PASSWORD: "secret" };
  const { status, stderr } = await run([...words, server.url("/pub/none")], { env });
  expect(status).toBe(8);
  const url = `ftpes://al%20ice@127.0.0.1:${server.port}/pub/`;
  expect(hintsOf(stderr)).toEqual([`hint: list the directory: ${url}`]);
});

test("the passwords of the URL and of its proxy are left out", async () => {
  const server = await startServer({ files, users: { joe: { password: "secret" } } });
  const proxy = await ScriptedProxy.start({ login: "u:geheim" });
  const url = server.url("/pub/none", { user: "joe", password: "secret" });
  const { stderr } = await run(["--proxy", proxy.url("u:geheim"), url]);
  const listing = server.url("/pub/", { user: "joe" });
  expect(hintsOf(stderr)).toEqual([`hint: list the directory: ${listing}`]);
  expect(stderr).not.toMatch(/secret|geheim/);
});

test("port 990 without TLS: the hint has the URL with ftps:", async () => {
  const { status, stderr } = await run(["-t1", "-T1", "ftp://127.0.0.1:990/x"]);
  expect(status).toBe(4);
  expect(hintsOf(stderr)).toEqual([
    "hint: the port 990 is for TLS from the start: ftps://127.0.0.1/x",
  ]);
});
