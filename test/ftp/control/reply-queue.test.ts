import { expect, test } from "vitest";
import { ReplyQueue } from "../../../src/ftp/control/reply-queue.ts";
import { parseReply } from "../../../src/ftp/control/reply.ts";

const long = parseReply(`150 ${"x".repeat(2 ** 20)}`);

test("replies that wait to be read are few octets altogether", async () => {
  const queue = new ReplyQueue();
  expect([1, 2, 3].map(() => queue.deliver(long))).toEqual([true, true, true]);
  for (let count = 0; count < 10; count++) {
    expect(await queue.next(0, () => undefined)).toBe(long);
    expect(queue.deliver(long)).toBe(true);
  }
  expect(queue.deliver(long)).toBe(false);
});

test("replies that wait to be read are not many", () => {
  const queue = new ReplyQueue();
  const wait = parseReply("150 wait");
  const taken = Array.from({ length: 1001 }, () => queue.deliver(wait));
  expect(taken.indexOf(false)).toBe(1000);
});
