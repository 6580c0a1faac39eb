/** --pinnedpubkey: a server is known by its public key alone. */
import { createHash, X509Certificate } from "node:crypto";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createServer } from "node:tls";
import { describe, expect, it, onTestFinished } from "vitest";
import { ftpull } from "../conformance/support/client.ts";
import { expectCommands } from "../conformance/support/dialogue.ts";
import {
  type Certificate,
  expiredCertificate,
  loopbackCertificate,
  strangeCertificate,
} from "../support/certificates.ts";
import { listenOn } from "../support/ports.ts";
import { temporaryDirectory } from "../support/temporary-directory.ts";
import { startSecured } from "./support/secured.ts";

const quiet = ["--progress", "none", "-O", "-"];
const text = { status: 0, stdout: "text", stderr: "" };

const keyOf = ({ cert }: Certificate) => new X509Certificate(cert).publicKey;

function pinOf(certificate: Certificate): string {
  const octets = keyOf(certificate).export({ type: "spki", format: "der" });
  return `sha256//${createHash("sha256").update(octets).digest("base64")}`;
}

const [own, others] = [pinOf(loopbackCertificate), pinOf(strangeCertificate)];

describe("a server with the pinned key is accepted", () => {
  it.each([
    ["signed by itself", loopbackCertificate],
    ["for another host", strangeCertificate],
    ["expired", expiredCertificate],
  ])("whatever its certificate says: %s", async (_claim, certificate) => {
    for (const implicit of [true, false]) {
      const server = await startSecured({ ...certificate, implicit, requireReuse: true });
      const words = ["--tls", "--pinnedpubkey", pinOf(certificate), ...quiet];
      expect(await ftpull([...words, server.url("/x")])).toMatchObject(text);
    }
  });

  it.each(
    [[], ["--active"]].flatMap((words) => [
      { words, version: { maxVersion: "TLSv1.2" } as const },
      { words, version: { minVersion: "TLSv1.3" } as const },
    ]),
  )("and its data connections, which resume the session: %j", async ({ words, version }) => {
    const server = await startSecured({ requireReuse: true, ...version });
    const pinned = [`--pinnedpubkey=${others};${own}`, ...words, ...quiet];
    expect(await ftpull([...pinned, server.url("/x", { scheme: "ftpes" })])).toMatchObject(text);
  });

  it.each([
    ["its key, PEM", keyOf(loopbackCertificate).export({ type: "spki", format: "pem" })],
    ["its key, DER", keyOf(loopbackCertificate).export({ type: "spki", format: "der" })],
    ["its certificate", loopbackCertificate.cert],
  ])("by a file of %s", async (_claim, content) => {
    const path = join(await temporaryDirectory(), "key");
    await writeFile(path, content);
    const words = ["--pinnedpubkey", path, ...quiet];
    const server = await startSecured();
    const url = server.url("/x", { scheme: "ftpes" });
    expect(await ftpull([...words, url])).toMatchObject(text);
    const other = await startSecured(strangeCertificate);
    expect(await ftpull([...words, other.url("/x", { scheme: "ftpes" })])).toMatchObject({
      status: 5,
    });
  });
});

describe("another key", () => {
  it.each([[[]], [["--no-check-certificate"]]])(
    "ends the run before a user is named: %j",
    async (words) => {
      const server = await startSecured(strangeCertificate, {
        users: { jane: { password: "secret" } },
      });
      const url = server.url("/x", { scheme: "ftpes", user: "jane", password: "secret" });
      const pins = `${own};${pinOf(expiredCertificate)}`;
      const result = await ftpull([...words, "--pinnedpubkey", pins, ...quiet, url]);
      expect(result).toMatchObject({
        status: 5,
        stdout: "",
        stderr:
          `ftpull: ${url.replace(":secret@", "@")}: the server's public key is ${others}, ` +
          `not ${pins.replace(";", " or ")}\n`,
      });
      expectCommands(server, "AUTH TLS");
    },
  );

  it("of a data connection makes no document", async () => {
    const impostor = createServer(strangeCertificate, (socket) => socket.end("evil"));
    impostor.on("tlsClientError", () => {});
    onTestFinished(() => void impostor.close());
    const port = await listenOn(impostor);
    const on = { EPSV: `229 here (|||${port}|)`, RETR: "150 coming" };
    const server = await startSecured({}, { on });
    const url = server.url("/x", { scheme: "ftpes" });
    const result = await ftpull(["--pinnedpubkey", own, ...quiet, url]);
    expect(result).toMatchObject({ status: 5, stdout: "" });
    expect(result.stderr).toContain(`the server's public key is ${others}, not ${own}\n`);
  });
});
