/** D1 to D4: what becomes of the octets of a document. */
import { describe, expect, it } from "vitest";
import { transfer } from "../support/actions.ts";
import { startAgreeableServer } from "./support/agreeable-server.ts";
import { ftpull } from "./support/client.ts";

const everyOctet = Buffer.from(Array.from({ length: 256 }, (_, octet) => octet));

/** "Grüße, [NEL or LF]^": in code page 037 and in 1047. */
const cp037 = Buffer.from("c799dc59856b15b0", "hex");
const cp1047 = Buffer.from("c799dc59856b255f", "hex");

type Parts = readonly (string | Buffer)[];

/** Each part is sent in a read of its own. */
const documents: [
  claim: string,
  typecode: string,
  options: string[],
  parts: Parts,
  text: string | Buffer,
][] = [
  [
    "D1 TYPE I: every octet as sent",
    "i",
    [],
    [everyOctet, "\r\n"],
    Buffer.concat([everyOctet, Buffer.from("\r\n")]),
  ],
  ["D2 TYPE A: CRLF becomes the local line end", "a", [], ["a\r\nb\r\n"], "a\nb\n"],
  ["D2 TYPE A: a CRLF across two reads is one", "a", [], ["a\r", "\nb"], "a\nb"],
  ["D2 TYPE A: a CR at the end stays", "a", [], ["a\r"], "a\r"],
  ["D3 TYPE E: code page 037", "e", [], [cp037], "Grüße,\n^"],
  ["D3 TYPE E: another code page", "e", ["--ebcdic-encoding", "cp1047"], [cp1047], "Grüße,\n^"],
  ["D3 TYPE E with a format: EBCDIC as well", "en", [], [cp037], "Grüße,\n^"],
  ["D4 TYPE U: UTF-8 with local line ends", "u", [], ["\u{1d120}\r", "\nç\r\n"], "\u{1d120}\nç\n"],
];

describe("the data", () => {
  it.each(documents)("%s", async (_claim, typecode, options, parts, text) => {
    const size = `213 ${parts.reduce((sum, part) => sum + Buffer.from(part).length, 0)}`;
    const server = await startAgreeableServer({
      on: { RETR: transfer({ content: parts }), SIZE: size },
    });
    const words = [...options, "-O", "-", server.url(`/x;type=${typecode}`)];
    const { status, stdoutBytes } = await ftpull(words);
    expect(stdoutBytes).toEqual(Buffer.from(text));
    expect(status).toBe(0);
  });
});
