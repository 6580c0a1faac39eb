import { describe, expect, test } from "vitest";
import { redactUrlText } from "../../src/text/redact.ts";

describe("X2 a password is taken out of any text", () => {
  test.each([
    ["a URL", "ftp://u:secret@h/x", "ftp://u@h/x"],
    ["an @ in the password", "ftp://u:se@cret@h/x", "ftp://u@h/x"],
    ["a / in the password", "ftp://u:se/cret@h/x", "ftp://u@h/x"],
    ["a / after digits that are no port", "ftp://u:123456/7@h/x", "ftp://u@h/x"],
    ["a / after the first number above ports", "ftp://u:65536/7@h/x", "ftp://u@h/x"],
    ["a ? in the password", "ftp://u:se?cret@h/x", "ftp://u@h/x"],
    ["a # after digits", "ftp://u:1#2@h/x", "ftp://u@h/x"],
    ["no scheme", "u:secret@h/x", "u@h/x"],
    ["no colon behind the scheme", "ftp//u:secret@h/x", "ftp//u@h/x"],
    ["another sign for that colon", "see ftp;//u:secret@h/x", "see ftp;//u@h/x"],
    ["no slashes", "ftp:u:secret@h/x", "ftp@h/x"],
    ["no scheme and slashes in it", "u:(a//secret@h/x", "u@h/x"],
    ["a wrapper", "<URL:ftp://u:secret@h/x>", "<URL:ftp://u@h/x>"],
    ["a line break in a wrapper", "<ftp://u:se\n  cret@h/x>", "<ftp://u@h/x>"],
    ["a / behind an @, before a port", "ftp://u:p@ss/w/o%rd@h:2121/x", "ftp://u@h:2121/x"],
    [
      "a path with an @, of which the beginning goes",
      "ftp://u:secret@h/a@2x.png",
      "ftp://u@2x.png",
    ],
    ["neither host nor @", "ftp://u:secret", "ftp://u:***"],
    ["neither host nor @ nor scheme", "u:secret", "u:***"],
    ["no URL at all", "password: secret", "password:***"],
    ["one slash", "ftp:/u:secret@h/x", "ftp:/u@h/x"],
    ["two schemes", "ftp://ftp://u:secret@h/x", "ftp://ftp@h/x"],
    ["two URLs", "ftp://u:secret@h/x ftp://v:secret@h/y", "ftp://u@h/y"],
    ["two URLs, one with a password", "ftp://h/x\nftp://v:secret@h/y", "ftp://h/x\nftp@h/y"],
    ["two URLs, the first without a scheme", "a.b/x,ftp://u:secret@h/y", "a.b/x,ftp://u@h/y"],
    ["a URL behind a colon", "#:ftp://u:secret@h/", "#@h/"],
    ["two URLs without hosts", "ftp://u:secret ftp://v:secret", "ftp://u:***"],
    [":// in the password", "ftp://u:sec://ret@h/x", "ftp://u@h/x"],
  ])("%s", (_what, text, redacted) => {
    expect(redactUrlText(text)).toBe(redacted);
  });

  test.each([
    "ftp://h/x",
    "ftp://u@h/x",
    "ftp://u@h/x#y@z",
    "ftp://h:2121/mail@x",
    "ftp://[::1]:2121/a",
    "ftp://:21/x",
    "ftp://h?a:b/c@d",
    "ftp://h:/a@b",
    "<ftp://h:2121>",
    "ftp://h/a:b@c",
    "",
  ])("what has none stays: %s", (text) => {
    expect(redactUrlText(text)).toBe(text);
  });
});
