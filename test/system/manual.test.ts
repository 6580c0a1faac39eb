import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { pageText } from "../../src/build/manual-text.ts";

test("mandoc has no complaint, and makes man/ftpull.txt", () => {
  const words = ["-T", "lint", "-W", "warning", "man/ftpull.1"];
  expect(spawnSync("mandoc", words).stdout.toString()).toBe("");
  expect(pageText("man/ftpull.1")).toBe(readFileSync("man/ftpull.txt", "utf8"));
});
