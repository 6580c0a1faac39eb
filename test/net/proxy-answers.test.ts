/** Where the answers of proxies end: what follows them is the server's. */
import { expect, test } from "vitest";
import { headLength } from "../../src/net/proxy-http.ts";

type Outcome = number | "more" | "none";

function outcome(octets: Buffer): Outcome {
  try {
    return headLength(octets) ?? "more";
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
  expect(outcome(Buffer.from(text, "latin1"))).toBe(expected);
});
