import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { passwordFile } from "../../src/login/sources.ts";

const folder = mkdtempSync(join(tmpdir(), "ftpull-password-"));
const file = join(folder, "password");

const read = (path = file): Promise<string> => passwordFile(path)();

afterAll(() => rmSync(folder, { recursive: true }));

test.each([
  ["a line", "secret\n", "secret"],
  ["a line with CRLF", "secret\r\n", "secret"],
  ["no line end", "secret", "secret"],
  ["only the first line", "secret\nmore\n", "secret"],
  ["an empty line is the empty password", "\n", ""],
  ["UTF-8 becomes octets", "ü€\n", "Ã¼â\x82¬"],
])("the password is the first line: %s", async (_claim, text, password) => {
  writeFileSync(file, text);
  expect(await read()).toBe(password);
});

test("octets that aren't UTF-8 are kept", async () => {
  writeFileSync(file, Buffer.from([0xfc, 0x0a]));
  expect(await read()).toBe("\xfc");
});

test("a file without any octet holds no password", async () => {
  writeFileSync(file, "");
  await expect(read()).rejects.toMatchObject({
    kind: "login",
    message: `password file "${file}" is empty`,
  });
});

test("it is read when it is needed, and once", async () => {
  const password = passwordFile(file);
  writeFileSync(file, "first\n");
  expect(await password()).toBe("first");
  writeFileSync(file, "second\n");
  expect(await password()).toBe("first");
});
