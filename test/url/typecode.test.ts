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

test.each(["", "spx", "xan", "ai", "l", "l0", "%61", "é"])(
  "U9, U10 the typecode %j is dropped with a warning",
  (code) => {
    const { name, typecode, warning } = splitTypecode(`x;type=${code}`);
    expect([name, typecode]).toEqual(["x", undefined]);
    expect(warning).toContain(`;type=${code}" is ignored`);
  },
);
