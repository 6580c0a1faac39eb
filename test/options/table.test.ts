import { describe, expect, test } from "vitest";
import { exitStatus } from "../../src/errors.ts";
import { parseCommandLine } from "../../src/options/command-line.ts";
import { exitStatuses, helpExamples, type OptionRecord, options } from "../../src/options/table.ts";
import { commandsIn } from "../support/shell.ts";

const records = Object.values<OptionRecord>(options);
const longs = records.map(({ long }) => long);

describe.each(records)("the record of $long", (record) => {
  test("has a summary that is an imperative of at most 60 columns", () => {
    expect(record.summary.length).toBeLessThanOrEqual(60);
    expect(record.summary).toMatch(/^[a-z].*[^.]$/);
  });

  test("excludes and needs only options that exist", () => {
    const others = [...(record.excludes ?? []), ...(record.needs ? [record.needs] : [])];
    expect(longs).toEqual(expect.arrayContaining(others));
  });
});

test("no two options have the same name", () => {
  const names = records.flatMap(({ short, long }) =>
    short === undefined ? [long] : [short, long],
  );
  expect(new Set(names).size).toBe(names.length);
});

test.each(helpExamples)("the example %s is understood", (example) => {
  const commands = commandsIn(example, "ftpull");
  expect(commands).toHaveLength(1);
  for (const argv of commands) expect(parseCommandLine(argv).action).toMatch(/^(?:run|print)$/);
});

test("every exit status is explained, once and in order", () => {
  const explained = exitStatuses.map(([status]) => status);
  expect(explained).toEqual([0, ...Object.values(exitStatus), 129, 130, 143]);
});
