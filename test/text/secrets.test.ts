/** Secrets of a run in text that is printed: which forms of them are found, and what is left alone. */
import { afterAll, beforeEach, expect, test, vi } from "vitest";

let secrets: typeof import("../../src/text/secrets.ts");

beforeEach(async () => {
  vi.resetModules(); // each test has a run of its own
  secrets = await import("../../src/text/secrets.ts");
});

afterAll(() => void vi.resetModules());

const octets = (text: string): string => Buffer.from(text).toString("latin1");

test.each<[secret: string, text: string, shown: string]>([
  ["geheim", "221 geheim!", "221 ***!"],
  ["geheim", "xgeheimx and geheim", "x***x and ***"],
  ["geheim", "Geheim", "Geheim"],
  ["g%e.h*", "220 g%e.h* gxexhx", "220 *** gxexhx"],
  // UTF-8, decoded or as octets.
  [octets("schlüssel"), `schlüssel ${octets("schlüssel")}`, "*** ***"],
  // Base64, with or without padding, also of the pair that Basic sends.
  ["geheim", `Basic ${btoa("u:geheim")} ${btoa("geheim")}`, "Basic *** ***"],
  ["geheim1", `${btoa("geheim1").replaceAll("=", "")}`, "***"],
  ["pw??>~zz", "cHc/Pz5+eno= cHc_Pz5-eno", "*** ***"],
  // A short secret is part of other words.
  ["ftp", "ftp://h/x sftp ftp", "ftp://h/x sftp ***"],
  ["pw", "230 [pw] pwd", "230 [***] pwd"],
  ["ab", `cHc ${btoa("u:ab")}`, "cHc ***"],
  ["", "a reply", "a reply"],
  // It is the user's name that everything shows.
  ["u", "u@h", "u@h"],
])("%j in %j is shown as %j", (secret, text, shown) => {
  secrets.keepSecret(secret, "u");
  expect(secrets.conceal(text)).toBe(shown);
});

test("all of overlapping secrets goes, whichever was learnt first", () => {
  for (const secret of ["geheim", "geheimnis", "nisse"]) secrets.keepSecret(secret);
  expect(secrets.conceal("geheimnis geheim geheimnisse")).toBe("*** *** ***");
});

test("nothing is left of two secrets, however they overlap", () => {
  const text = "abcdefghijklmnopqrstuvwxyz";
  for (let from = 0; from < 12; from++) {
    const overlapping = [text.slice(3, 9), text.slice(from, from + 5)];
    for (const secret of overlapping) secrets.keepSecret(secret);
    const shown = secrets.conceal(text);
    expect(Array.from(shown).filter((letter) => overlapping.join("").includes(letter))).toEqual([]);
  }
});

test("a whole line of a file may be a password", () => {
  const long = "x.".repeat(500_000);
  secrets.keepSecret(long, "u");
  expect(secrets.conceal(`220 ${long}!`)).toBe("220 ***!");
});

test("a cut leaves nothing of a secret", () => {
  secrets.keepSecret("geheim");
  expect(secrets.shorten("say geheim", 7)).toBe("say ***");
  expect(secrets.shorten("say geheim now", 9)).toBe("say *** n...");
});
