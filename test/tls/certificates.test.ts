/** Whom the program trusts, and how it says why not. */
import { describe, expect, it } from "vitest";
import { ftpull } from "../conformance/support/client.ts";
import { expectCommands } from "../conformance/support/dialogue.ts";
import {
  type Certificate,
  commonNameCertificate,
  expiredCertificate,
  loopbackCertificate,
  strangeCertificate,
} from "../support/certificates.ts";
import { withoutTotal } from "../support/total.ts";
import { pemFile, showing, startSecured, trusting } from "./support/secured.ts";

const quiet = ["--progress", "none", "-O", "-"];
const hint =
  "hint: trust its authority with --ca-certificate, its key with --pinnedpubkey, or any with --no-check-certificate\n";

describe("a server's certificate", () => {
  it.each<[claim: string, certificate: Certificate, trusted: Certificate | undefined, why: string]>(
    [
      [
        "by nobody that is known",
        loopbackCertificate,
        undefined,
        "is not trusted: depth zero self signed cert",
      ],
      [
        "by another authority",
        loopbackCertificate,
        strangeCertificate,
        "is not trusted: depth zero self signed cert",
      ],
      [
        "for another host",
        strangeCertificate,
        strangeCertificate,
        "is for elsewhere.example, not for 127.0.0.1",
      ],
      [
        "that has expired",
        expiredCertificate,
        expiredCertificate,
        "is not trusted: cert has expired",
      ],
    ],
  )("%s ends the run before anything is said", async (_claim, certificate, trusted, why) => {
    const server = await startSecured(certificate);
    const url = server.url("/x", { scheme: "ftpes" });
    const words = trusted === undefined ? [] : await trusting(trusted);
    const { stderr, status } = await ftpull([...words, ...quiet, url]);
    expect({ stderr, status }).toEqual({
      stderr: `ftpull: ${url}: the server's certificate ${why}\n${hint}`,
      status: 5,
    });
    expectCommands(server, "AUTH TLS");
  });

  it("that has the host as its CN only is refused, with the words for that", async () => {
    const server = await startSecured(commonNameCertificate);
    const url = server.url("/x", { scheme: "ftpes" });
    const words = [...(await trusting(commonNameCertificate)), ...quiet];
    const why = "is for no host, not for 127.0.0.1";
    expect(await ftpull([...words, url])).toMatchObject({
      stderr: `ftpull: ${url}: the server's certificate ${why}\n${hint}`,
      status: 5,
    });
  });

  it.each([[[]], [["--active"]]])("of an IPv6 address is good for it: %j", async (words) => {
    const server = await startSecured({ requireReuse: true }, { host: "::1" });
    const url = server.url("/x", { scheme: "ftpes" });
    const result = await ftpull([...(await trusting()), ...words, ...quiet, url]);
    expect(result).toMatchObject({ status: 0, stdout: "text", stderr: "" });
  });
});

describe("--no-check-certificate", () => {
  it.each([
    ["signed by itself", loopbackCertificate],
    ["for another host", strangeCertificate],
    ["expired", expiredCertificate],
  ])("accepts one that is %s, and says so once", async (_claim, certificate) => {
    const server = await startSecured({ ...certificate, requireReuse: true });
    const url = server.url("/x", { scheme: "ftpes" });
    const result = await ftpull(["--no-check-certificate", ...quiet, url, url]);
    expect(result).toMatchObject({ status: 0, stdout: "texttext" });
    expect(withoutTotal(result.stderr)).toBe(
      "ftpull: warning: certificate verification is off: the connection can be intercepted\n",
    );
  });
});

describe("the client's certificate", () => {
  it("is shown to a server that wants one", async () => {
    const server = await startSecured({ requireCertificate: true });
    const words = [...(await trusting()), ...(await showing(strangeCertificate))];
    const result = await ftpull([...words, ...quiet, server.url("/x", { scheme: "ftpes" })]);
    expect(result).toMatchObject({ status: 0, stdout: "text" });
  });
});

describe("files", () => {
  it.each<[claim: string, texts: Record<string, string>, culprit: string, why: string]>([
    ["no authority", { "--ca-certificate": "hello" }, "--ca-certificate", "no start line"],
    ["no certificate", { "--certificate": "hello" }, "--certificate", "no start line"],
    [
      "another's key",
      { "--certificate": loopbackCertificate.cert, "--private-key": strangeCertificate.key },
      "--private-key",
      "key values mismatch",
    ],
  ])("one that holds %s is named", async (_claim, texts, culprit, why) => {
    const server = await startSecured();
    const url = server.url("/x", { scheme: "ftpes" });
    const paths: Record<string, string> = {};
    for (const [option, text] of Object.entries(texts)) paths[option] = await pemFile(text);
    const { status, stderr } = await ftpull([...Object.entries(paths).flat(), url]);
    expect(stderr).toBe(`ftpull: ${url}: cannot use "${paths[culprit]}": ${why}\n`);
    expect(status).toBe(5);
    expectCommands(server);
  });
});
