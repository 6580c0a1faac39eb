/** What is read from replies. */
import { expect, test } from "vitest";
import {
  isMissing,
  parse150Size,
  parse213Size,
  parse213Time,
  parse227,
  parse229,
  parse257,
  parseFeatures,
  parseReply,
  quoteReply,
  ReplyError,
  saysCut,
  saysNothingThere,
} from "../../../src/ftp/control/reply.ts";
import { keepSecret } from "../../../src/text/secrets.ts";

test.each([
  ["213 0", 0],
  ["213   42  ", 42],
  ["213 42 bytes", 42],
  ["213-42\n213 end", 42],
  ["213 9007199254740991", 9007199254740991],
  ["213 9007199254740993", undefined], // no number in JavaScript
  ["213 20260301123000.5", undefined],
  ["213", undefined],
  ["250 42", undefined],
])("RFC 3659 §4 the size in %j is %s", (reply, size) => {
  expect(parse213Size(parseReply(reply))).toBe(size);
});

test.each([
  ["150 Opening BINARY mode data connection for x (300000 bytes).", "x", 300000],
  ["150 Opening data connection for x (5 Bytes)  ", "x", 5],
  ["150-Welcome\n150 x (7 bytes)", "x", 7],
  ["150 x (7 bytes) soon", "x", undefined],
  ["150 x (about 7 bytes)", "x", undefined],
  ["150 Opening data connection for x (7 bytes)", "x (7 bytes)", undefined],
  ["150 go", "x", undefined],
])("the size in %j, for %j, is %s", (reply, name, size) => {
  expect(parse150Size(parseReply(reply), name)).toBe(size);
});

test.each([
  ["213 20260301123000", "2026-03-01T12:30:00.000Z"],
  ["213  20260301123000 ", "2026-03-01T12:30:00.000Z"],
  ["213 20260301123000.25", "2026-03-01T12:30:00.250Z"],
  ["213 202603011230000", undefined],
  ["213 20260301123000 GMT", undefined],
  ["213 20260301123000.x", undefined],
  ["213 00010101000000", undefined], // an unknown time of .NET
])("RFC 3659 §3 the time in %j is %s", (reply, time) => {
  expect(parse213Time(parseReply(reply))?.toISOString()).toBe(time);
});

test.each([
  ["227 Entering Passive Mode (127,0,0,1,8,1)", 2049],
  ["227 Entering Passive Mode. 10,0,0,7,255,255", 65535],
  ["227 Passive (127, 0, 0, 1, 4, 5)", 1029],
  ["227 (127,0,0,1,256,1)", undefined],
  ["227 (127,0,0,1,0,0)", undefined],
  ["227 (127,0,0,1,8)", undefined],
  ["227 (127,0,0,1,8,1111)", undefined],
])("RFC 959 §4.1.2 the port in %j is %s", (reply, port) => {
  expect(parse227(parseReply(reply))).toBe(port);
});

test.each([
  ["229 Entering Extended Passive Mode (|||2049|)", 2049],
  ["229 (!!!65535!)", 65535],
  ["229 (|1|10.0.0.7|2049|)", 2049],
  ["229 (|||0|)", undefined],
  ["229 (|||65536|)", undefined],
  ["229 (|||x|)", undefined],
])("RFC 2428 §3 the port in %j is %s", (reply, port) => {
  expect(parse229(parseReply(reply))).toBe(port);
});

test.each([
  ['257 "/home/jane" is the directory', "/home/jane"],
  ['257 "/a ""b"" c"', '/a "b" c'],
  ['257-here\n257 "/x"', "/x"],
  ['257 "" is nowhere', undefined],
  ["257 /home/jane", undefined],
  ['257 "/home', undefined],
])("RFC 959, appendix II, the directory in %j is %s", (reply, directory) => {
  expect(parse257(parseReply(reply))).toBe(directory);
});

test.each([
  ["211-Features:\n MDTM\n size\n MLST type*;size*;\n211 End", ["MDTM", "SIZE", "MLST"]],
  ["211-Features:\n211-MDTM\n211-UTF8\n211 End", ["MDTM", "UTF8"]],
  ["211 no features", []],
])("RFC 2389 §3 the features in %j are %j", (reply, names) => {
  expect([...parseFeatures(parseReply(reply)).keys()]).toEqual(names);
});

test.each([
  ["250 a", 250],
  ["250-a\n226 b\n250 c", 250],
  ["553-a\n150 b", 150],
])("the code of %j is %s", (reply, code) => {
  expect(parseReply(reply).code).toBe(code);
});

test.each([
  ["550 No such file", 'server replied 550 "No such file"'],
  ["550", "server replied 550"],
  ["550-No\n550-\n550 such file", 'server replied 550 "No such file"'],
  ["550 5501 is no file", 'server replied 550 "5501 is no file"'],
  ["550 caf\xc3\xa9", 'server replied 550 "café"'],
  [`550 ${"x".repeat(300)}`, `server replied 550 "${"x".repeat(300)}"`],
  [`550 ${"x".repeat(301)}`, `server replied 550 "${"x".repeat(300)}..."`],
])("the words of %j", (reply, words) => {
  expect(quoteReply(parseReply(reply))).toBe(words);
});

test("X2 a password is taken out of a reply that isn't UTF-8, or ends with it", () => {
  keepSecret("p\xe4sswort ");
  expect(quoteReply(parseReply("530 no p\xe4sswort "))).toBe('server replied 530 "no ***"');
});

test.each([
  ["550 no", "refused", false],
  ["450 no", "refused", true],
  ["226 yes", "protocol", false],
  ["331 more", "protocol", false],
])("%s where it is no success is of kind %s, transient: %s", (reply, kind, transient) => {
  expect(new ReplyError("it failed", parseReply(reply))).toMatchObject({ kind, transient });
});

test.each([
  ["550 no", true],
  ["553 no", true],
  ["551 no", false],
  ["450 no", false],
])("%s says that a name is missing: %s", (reply, missing) => {
  expect(isMissing(new ReplyError("it failed", parseReply(reply)))).toBe(missing);
});

test.each([
  ["550-x:\n550 not found", true],
  ["550 Failed to open file.", true],
  ["550 No such file, or no permission", false],
  ["550 Not found, or denied", false],
  ["550 no", false],
])("%j says that nothing is there: %s", (reply, isSaid) => {
  expect(saysNothingThere(new ReplyError("it failed", parseReply(reply)))).toBe(isSaid);
});

test.each([
  ["226-Options: -l\n226 Output truncated to 2000 matches", true],
  ["226 Transfer complete (listing truncated)", true],
  ["226 Directory list has been truncated", true],
  ["226 Transfer done (but failed to open directory).", true],
  ["226-Sorry, we were unable to read [.]\n226 0 matches total", true],
  ["226 2000 matches total", false],
  ["226 Listing sent, not truncated", false],
  ['226 Listing of "truncated" complete', false],
  ["226 Listing of /pub/truncated/logs complete", false],
])("%j says that the listing was cut: %s", (text, isCut) => {
  expect(saysCut(parseReply(text))).toBe(isCut);
});
