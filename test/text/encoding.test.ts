import { describe, expect, test } from "vitest";
import { decoderFor, encoderFor } from "../../src/text/encoding.ts";
import { usageError } from "../url/usage-error.ts";

describe("S10 characters become octets and are shown again", () => {
  test.each([
    ["utf-8", "ü東😀", "\xc3\xbc\xe6\x9d\xb1\xf0\x9f\x98\x80"],
    ["latin1", "ü\x81", "\xfc\x81"],
    ["ISO-8859-1", "ÿ€", "\xff\x80"],
    ["windows-1252", "€ü", "\x80\xfc"],
    ["iso-8859-15", "€", "\xa4"],
    ["koi8-r", "Привет", "\xf0\xd2\xc9\xd7\xc5\xd4"],
    ["cp1251", "Привет", "\xcf\xf0\xe8\xe2\xe5\xf2"],
    ["shift_jis", "資料", "\x8e\x91\x97\xbf"],
    ["sjis", "表ｱ", "\x95\x5c\xb1"],
    ["euc-jp", "資料", "\xbb\xf1\xce\xc1"],
    ["gbk", "资料", "\xd7\xca\xc1\xcf"],
    ["gb18030", "资料", "\xd7\xca\xc1\xcf"],
    ["big5", "資料十", "\xb8\xea\xae\xc6\xa4\x51"],
    ["euc-kr", "자료", "\xc0\xda\xb7\xe1"],
  ])("%s: %s", (label, characters, octets) => {
    expect(encoderFor(label)(characters)).toBe(octets);
    expect(decoderFor(label)(octets)).toBe(characters);
  });

  test("shift_jis writes the code that the Encoding standard prefers of two", () => {
    expect(encoderFor("shift_jis")("ⅰ∵")).toBe("\xfa\x40\x81\xe6");
    expect(decoderFor("shift_jis")("\xee\xef")).toBe("ⅰ");
  });
});

describe("octets that are not valid are shown as %XX", () => {
  test.each([
    ["utf-8", "a\xe7b", "a%E7b"],
    ["utf-8", "\xc3\xbc\xc3", "ü%C3"],
    ["utf-8", "\xff\xf0\x9f\x98\x80", "%FF😀"],
    ["utf-8", "\xed\xa0\x80", "%ED%A0%80"],
    ["utf-8", "\xef\xbb\xbfa", "\ufeffa"],
    ["shift_jis", "\x8e\x91\xff", "資%FF"],
    ["gb18030", "\xff\x81\x30\x81\x30", "%FF\x80"],
  ])("%s: %j", (label, octets, text) => {
    expect(decoderFor(label)(octets)).toBe(text);
  });

  test("UTF-8 is the default", () => {
    expect(decoderFor()("\xc3\xbc\xff")).toBe("ü%FF");
  });
});

describe("usage errors", () => {
  test.each([
    ["klingon", 'the encoding "klingon" is unknown'],
    ["xlatin1", 'the encoding "xlatin1" is unknown'],
    ["", 'the encoding "" is unknown'],
    ["utf-16", "names in FTP commands cannot be in utf-16"],
    ["utf-16be", "names in FTP commands cannot be in utf-16be"],
    ["iso-2022-jp", "names in FTP commands cannot be in iso-2022-jp"],
  ])("the label %j", (label, message) => {
    expect(usageError(() => encoderFor(label)).message).toBe(message);
    expect(usageError(() => decoderFor(label)).message).toBe(message);
  });

  test.each([
    ["latin1", "x東", "東"],
    ["koi8-r", "ü", "ü"],
    ["shift_jis", "😀", "😀"],
    ["shift_jis", "\ufffd", "\ufffd"],
  ])("in %s there is no %s", (label, characters, missing) => {
    const message = `the character "${missing}" doesn't exist in ${label}`;
    expect(usageError(() => encoderFor(label)(characters)).message).toBe(message);
  });
});
