/** Where the answers of proxies end: what follows them is the server's. */
import { expect, test } from "vitest";
import { headLength } from "../../src/net/proxy-http.ts";
import { choiceLength, replyLength } from "../../src/net/proxy-socks.ts";

type LengthOf = (octets: Buffer) => number | undefined;
type Outcome = number | "more" | "none";

function outcome(lengthOf: LengthOf, octets: Buffer): Outcome {
  try {
    return lengthOf(octets) ?? "more";
  } catch {
    return "none";
  }
}

test.each<[text: string, outcome: Outcome]>([
  ["", "more"],
  ["HT", "more"],
  ["HTTP/1.1 200 OK\r\n", "more"],
  ["HTTP/1.1 200 OK\r\n\r\n220 ready\r\n\r\n", 19],
  ["HTTP/1.0 200\r\nVia: x\r\n\r\n220", 24],
  ["HTTP/1.1 200 OK\n\n220", 17],
  ["220 ready\r\n", "none"],
  ["2", "none"],
])("an HTTP reply, %j: %j", (text, expected) => {
  expect(outcome(headLength, Buffer.from(text, "latin1"))).toBe(expected);
});

const ipv4 = [5, 0, 0, 1, 127, 0, 0, 1, 0, 21];
const ipv6 = [5, 0, 0, 4, ...Array<number>(16).fill(1), 0, 21];
const name = [5, 0, 0, 3, 2, 97, 98, 0, 21];

test.each<[what: string, lengthOf: LengthOf, octets: number[], outcome: Outcome]>([
  ["choice", choiceLength, [], "more"],
  ["choice", choiceLength, [5], "more"],
  ["choice", choiceLength, [5, 0xff, 1], 2],
  ["choice", choiceLength, [4], "none"],
  ["reply", replyLength, [5, 0], "more"],
  ["reply", replyLength, [5, 0, 0], "more"],
  ["reply", replyLength, [5, 0, 0, 3], "more"],
  ...[ipv4, ipv6, name].flatMap((reply): [string, LengthOf, number[], Outcome][] => [
    ["reply", replyLength, reply.slice(0, -1), "more"],
    ["reply", replyLength, [...reply, 0x32, 0x32, 0x30], reply.length],
  ]),
  ["reply", replyLength, [5, 0, 0, 3, 0, 0, 21], 7],
  ["reply", replyLength, [5, 0, 0, 2, 0, 0, 0], "none"],
  ["refusal", replyLength, [5, 2, 0, 1, 0, 0, 0, 0, 0, 0], 2],
  ["reply", replyLength, [0, 90], "none"],
])("a SOCKS %s, %s, of %j: %j", (_what, lengthOf, octets, expected) => {
  expect(outcome(lengthOf, Buffer.from(octets))).toBe(expected);
});
