import { expect, test } from "vitest";
import { formatTypecode, splitTypecode } from "../../src/url/path.ts";

test.each([
  ["U9", "x;type=a", "x", "A"],
  ["U9", "x;type=E", "x", "E"],
  ["U9", "x;TYPE=i", "x", "I"],
  ["U9", "x;Type=u", "x", "U"],
  ["U9", ";type=d", "", "D"],
  ["U9", "x;type=a;type=i", "x;type=a", "I"],
  ["U9", "x", "x", undefined],
  ["U9", "x;type=a;y", "x;type=a;y", undefined],
  ["U10", "x;type=an", "x", "A N"],
  ["U10", "x;type=AT", "x", "A T"],
  ["U10", "x;type=ac", "x", "A C"],
  ["U10", "x;type=en", "x", "E N"],
  ["U10", "x;type=et", "x", "E T"],
  ["U10", "x;type=ec", "x", "E C"],
  ["U10", "x;type=l8", "x", "L 8"],
  ["U10", "x;type=L36", "x", "L 36"],
])("%s %s is name %j and typecode %s", (_id, segment, name, typecode) => {
  expect(splitTypecode(segment)).toEqual({ name, typecode, warning: undefined });
  if (typecode !== undefined)
    expect(splitTypecode(`x${formatTypecode(typecode)}`).typecode).toBe(typecode);
});

test.each([
  ["U9", "", 'the empty ";type=" is ignored'],
  ["U10", "spx", 'the unknown typecode ";type=spx" is ignored'],
  ["U10", "xan", 'the unknown typecode ";type=xan" is ignored'],
  ["U10", "ai", 'the unknown typecode ";type=ai" is ignored'],
  ["U10", "l", 'the unknown typecode ";type=l" is ignored'],
  ["U10", "l0", 'the unknown typecode ";type=l0" is ignored'],
  ["U10", "%61", 'the unknown typecode ";type=%61" is ignored'],
  ["U10", "é", 'the unknown typecode ";type=é" is ignored'],
])("%s drops ;type=%s with a warning", (_id, code, warning) => {
  expect(splitTypecode(`x;type=${code}`)).toEqual({
    name: "x",
    typecode: undefined,
    warning: `${warning} (a, e, i, u and d are known)`,
  });
});
