/** Where the answers of proxies end: what follows them is the server's. */
import { describe, expect, test } from "vitest";
import { headLength } from "../../src/net/proxy-http.ts";
import { choiceLength, replyLength } from "../../src/net/proxy-socks.ts";

type Outcome = number | "more" | "none";

function outcome(lengthOf: (octets: Buffer) => number | undefined, octets: Buffer): Outcome {
  try {
    return lengthOf(octets) ?? "more";
  } catch {
    return "none";
  }
}

describe("an HTTP reply", () => {
  test.each<[text: string, outcome: Outcome]>([
    ["", "more"],
    ["HT", "more"],
    ["HTTP/1.1 200 OK\r\n", "more"],
    ["HTTP/1.1 200 OK\r\n\r\n", 19],
    ["HTTP/1.1 200 OK\r\n\r\n220 ready\r\n\r\n", 19],
    ["HTTP/1.0 200\r\nVia: x\r\n\r\n220", 24],
    ["HTTP/1.1 200 OK\n\n220", 17],
    ["220 ready\r\n", "none"],
    ["2", "none"],
    ["http/1.1 200 OK", "none"],
    ["\x05\x00", "none"],
  ])("%j: %j", (text, expected) => {
    expect(outcome(headLength, Buffer.from(text, "latin1"))).toBe(expected);
  });
});

describe("the choice of a SOCKS method", () => {
  test.each<[octets: number[], outcome: Outcome]>([
    [[], "more"],
    [[5], "more"],
    [[5, 0], 2],
    [[5, 0xff, 1], 2],
    [[4], "none"],
    [[0x48, 0x54], "none"],
  ])("%j: %j", (octets, expected) => {
    expect(outcome(choiceLength, Buffer.from(octets))).toBe(expected);
  });
});

describe("a SOCKS reply", () => {
  const ipv4 = [5, 0, 0, 1, 127, 0, 0, 1, 0, 21];
  const ipv6 = [5, 0, 0, 4, ...Array<number>(16).fill(1), 0, 21];
  const name = [5, 0, 0, 3, 2, 97, 98, 0, 21];

  test.each<[octets: number[], outcome: Outcome]>([
    [[], "more"],
    [[5], "more"],
    [[5, 0], "more"],
    [[5, 0, 0], "more"],
    [[5, 0, 0, 3], "more"],
    ...[ipv4, ipv6, name].flatMap((reply): [number[], Outcome][] => [
      [reply.slice(0, -1), "more"],
      [reply, reply.length],
      [[...reply, 0x32, 0x32, 0x30], reply.length],
    ]),
    [[5, 0, 0, 3, 0, 0, 21], 7],
    [[5, 0, 0, 2, 0, 0, 0], "none"],
    [[5, 1], 2],
    [[5, 2, 0, 1, 0, 0, 0, 0, 0, 0], 2],
    [[0, 90], "none"],
  ])("%j: %j", (octets, expected) => {
    expect(outcome(replyLength, Buffer.from(octets))).toBe(expected);
  });
});
