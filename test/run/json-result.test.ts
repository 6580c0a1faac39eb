import { expect, test } from "vitest";
import { failed } from "../../src/documents/result.ts";
import { FtpullError } from "../../src/errors.ts";
import { jsonResult } from "../../src/run/outcome.ts";
import { keepSecret } from "../../src/text/secrets.ts";

test("a line has every key, in one order, and null for what is unknown", () => {
  expect(jsonResult({ url: undefined, status: "done", exit: 0 })).toBe(
    '{"url":null,"file":null,"bytes":null,"seconds":null,"resumed":null,"size":null,' +
      '"modified":null,"sha256":null,"status":"done","reason":null,"exit":0,"error":null,"verified":null}\n',
  );
});

test("a time is in UTC, and the seconds have three decimals at most", () => {
  const modified = new Date("2026-11-21T07:30:00Z");
  const line = jsonResult({ url: "u", status: "done", exit: 0, modified, seconds: 1 / 3 });
  expect(JSON.parse(line)).toMatchObject({ modified: "2026-11-21T07:30:00Z", seconds: 0.333 });
});

test("X2 an error shows no secret, such as one that a listing has for a name", () => {
  keepSecret("s3cr3t-name");
  const line = jsonResult(failed("u", new FtpullError("refused", 'cannot retrieve "s3cr3t-name"')));
  expect(JSON.parse(line)).toMatchObject({ error: 'cannot retrieve "***"' });
});

test("X4 a text of the server is one printable line, and the same text when it is read", () => {
  const text = 'server replied 550 "\x1b[2J\r\n\u202e\u2028"';
  const line = jsonResult(failed("u", new FtpullError("refused", text)));
  expect(line).toMatch(/^[ -~]+\n$/);
  expect(JSON.parse(line)).toMatchObject({ status: "failed", exit: 8, error: text });
});
