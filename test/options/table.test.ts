import { describe, expect, test } from "vitest";
import { exitStatus } from "../../src/errors.ts";
import { parseCommandLine } from "../../src/options/command-line.ts";
import { describedOptions } from "../../src/options/descriptions.ts";
import { exitStatuses, groups, helpExamples } from "../../src/options/table.ts";
import { commandsIn } from "../support/shell.ts";

const records = describedOptions;
const longs = records.map(({ long }) => long);

describe.each(records)("the record of $long", (record) => {
  test("has a summary that is an imperative of at most 60 columns", () => {
    expect(record.summary.length).toBeLessThanOrEqual(60);
    expect(record.summary).toMatch(/^[a-z].*[^.]$/);
  });

  test("has a description of full sentences that names only options that exist", () => {
    expect(record.description).toMatch(/^[A-Z].*\.$/);
    const named = record.description.match(/--[a-z][a-z0-9-]*/g) ?? [];
    expect(longs).toEqual(expect.arrayContaining(named));
  });

  test("names its argument wherever it describes it", () => {
    const named = record.description.match(/(?<=<)[a-z]+(?=>)/g) ?? [];
    expect(named.filter((name) => name !== record.argument)).toEqual([]);
  });

  test("excludes and needs only options that exist", () => {
    const others = [...(record.excludes ?? []), ...(record.needs ? [record.needs] : [])];
    expect(longs).toEqual(expect.arrayContaining(others));
  });
});

test.each(records.filter(({ example }) => example))("the example of $long uses it", (record) => {
  const words = record.example?.split(" ") ?? [];
  expect(words.some((word) => word === record.short || word === record.long)).toBe(true);
});

test("no two options have the same name", () => {
  const names = records.flatMap(({ short, long }) =>
    short === undefined ? [long] : [short, long],
  );
  expect(new Set(names).size).toBe(names.length);
});

test("the records stand in the order of the groups", () => {
  const order = records.map(({ group }) => groups.indexOf(group));
  expect(order).toEqual(order.toSorted((one, other) => one - other));
});

test.each([...records.flatMap(({ example }) => example ?? []), ...helpExamples])(
  "the example %s is understood",
  (example) => {
    const commands = commandsIn(example, "ftpull");
    expect(commands).toHaveLength(1);
    for (const argv of commands)
      expect(parseCommandLine(argv).action).toMatch(/^(?:run|completion)$/);
  },
);

test("every exit status is explained, once and in order", () => {
  const explained = exitStatuses.map(({ status }) => status);
  expect(explained).toEqual([0, ...Object.values(exitStatus), 129, 130, 143]);
});
