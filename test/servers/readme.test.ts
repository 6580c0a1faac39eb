/** README.md beside this file has the table; `npm run test:servers -- -u` writes it. */
import { expect, test } from "vitest";
import { type Cell, cells } from "./support/cells.ts";
import { subjects } from "./support/subjects.ts";

test("README.md has what the tests know of each server", async () => {
  await expect(readme()).toMatchFileSnapshot("README.md");
});

function readme(): string {
  const columns = Object.keys(cells) as Cell[];
  const rows = subjects.map(({ name, faults }) => [
    name,
    ...columns.map((cell) => (faults[cell] ? "-" : "+")),
  ]);
  const faults = subjects
    .filter(({ faults: each }) => Object.keys(each).length > 0)
    .map(({ name, faults: each }) => {
      const reasons = Object.entries(each).map(([cell, { why }]) => `${cell}: ${why}`);
      return `- ${name}. ${reasons.join("; ")}`;
    });
  const table = [["server", ...columns], ["server", ...columns].map(() => "---"), ...rows];
  return [
    "# What each server can",
    "",
    "`npm run test:servers` asks each server and proxy for everything in the table, and compares the results with",
    "it. A plus: the program gets what is right. A minus: the server can't do it, for the reason below the table.",
    "",
    ...table.map((row) => `| ${row.join(" | ")} |`),
    "",
    ...faults,
    "",
  ].join("\n");
}
