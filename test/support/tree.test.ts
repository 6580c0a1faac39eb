import { expect, it } from "vitest";
import { generatedOctets } from "./generated.ts";
import { buildTree, fileEntry, findEntry, octets, resolvePathname } from "./tree.ts";

it("names become octets of UTF-8, or of latin1 where a test wants it", () => {
  expect(findEntry(buildTree({ files: { "ü/x": "" } }), "/\xc3\xbc/x")?.kind).toBe("file");
  const latin1 = buildTree({ files: { "ü/x": "" }, nameEncoding: "latin1" });
  expect(findEntry(latin1, "/\xfc/x")?.kind).toBe("file");
  expect(octets("ü")).toBe("\xc3\xbc");
});

it("a file isn't a directory as well", () => {
  expect(() => buildTree({ files: { a: "", "a/b": "" } })).toThrow('"a"');
});

it("pathnames are resolved as on Unix", () => {
  expect(resolvePathname("/a", "b/../ c/./")).toBe("/a/ c");
  expect(resolvePathname("/a", "/b")).toBe("/b");
  expect(resolvePathname("/a", "../../..")).toBe("/");
});

it("generated octets are the same wherever one begins to read them", () => {
  const size = 200_000;
  const whole = generatedOctets(7, 0, size);
  expect(generatedOctets(7, 131_000, 140_000).equals(whole.subarray(131_000, 140_000))).toBe(true);
  const rest = Buffer.concat([...fileEntry({ size, seed: 7 }).read(65_520)]);
  expect(rest.equals(whole.subarray(65_520))).toBe(true);
  expect(generatedOctets(8, 0, 100).equals(whole.subarray(0, 100))).toBe(false);
});
