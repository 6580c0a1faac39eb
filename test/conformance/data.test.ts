/** D1 to D4: the type of a transfer converts its octets. */
import { describe, expect, it } from "vitest";
import { transfer } from "../support/actions.ts";
import { startAgreeableServer } from "./support/agreeable-server.ts";
import { ftpull } from "./support/client.ts";

const everyOctet = Buffer.from([...Array(256).keys(), 13, 10]);

/** "Grüße, [NEL or LF]^": in code page 037 and in 1047. */
const cp037 = Buffer.from("c799dc59856b15b0", "hex");
const cp1047 = Buffer.from("c799dc59856b255f", "hex");

type Parts = readonly (string | Buffer)[];

describe("the data", () => {
  // Each part is sent in a read of its own.
  it.each<[claim: string, typecode: string, words: string[], parts: Parts, text: string | Buffer]>([
    ["D1 TYPE I: every octet as sent", "i", [], [everyOctet], everyOctet],
    ["D2 TYPE A: a CRLF across two reads is one", "a", [], ["a\r", "\nb\r"], "a\nb\r"],
    ["D3 TYPE E with a format: code page 037", "en", [], [cp037], "Grüße,\n^"],
    ["D3 TYPE E: another", "e", ["--ebcdic-encoding", "cp1047"], [cp1047], "Grüße,\n^"],
    [
      "D4 TYPE U: UTF-8 with local line ends",
      "u",
      [],
      ["\u{1d120}\r", "\nç\r\n"],
      "\u{1d120}\nç\n",
    ],
  ])("%s", async (_claim, typecode, options, parts, text) => {
    const size = `213 ${parts.reduce((sum, part) => sum + Buffer.from(part).length, 0)}`;
    const on = { RETR: transfer({ content: parts }), SIZE: size };
    const server = await startAgreeableServer({ on });
    const words = [...options, "-O", "-", server.url(`/x;type=${typecode}`)];
    const { status, stdoutBytes } = await ftpull(words);
    expect([status, stdoutBytes]).toEqual([0, Buffer.from(text)]);
  });
});
