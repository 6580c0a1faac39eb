/** REST (RFC 3659 §5): a restart point that no RETR has used never meets another document. */
import { describe, expect, it } from "vitest";
import { transfer } from "../support/actions.ts";
import { generatedOctets } from "../support/generated.ts";
import type { Action, Step } from "../support/script.ts";
import { startServer } from "../support/start-server.ts";
import { filesIn, ftpull } from "./support/client.ts";
import { visits } from "./support/dialogue.ts";

const size = 300_000;
const files = {
  big: { size, seed: 1 },
  plain: { size: size + 1, seed: 2 },
  text: "a line of text\n".repeat(size / 15),
};
const whole = { plain: generatedOctets(2, 0, size + 1).toString("latin1"), text: files.text };
const big = generatedOctets(1, 0, size).toString("latin1");

/** Sets the restart point, whatever the reply to REST is. */
const setPoint: Step = ({ argument, session }) => {
  session.offset = Number(argument);
};

const cut = transfer({ first: 100_000, end: "reset", completion: "426 cut" });

describe("a session that has a restart point", () => {
  const rows: [claim: string, on: Record<string, Action>, status: number, first: string][] = [
    ["REST is answered by 200", { REST: [setPoint, "200 as you like"] }, 0, "REST 95904"],
    ["RETR is refused for good", { "RETR#2 big": "552 too much" }, 8, "RETR big"],
    ["RETR is refused for now", { "RETR#2 big": "450 busy" }, 0, "RETR big"],
  ];
  it.each(rows)("serves no other transfer where %s", async (_claim, on, expected, last) => {
    const server = await startServer({
      files,
      on: { "RETR#1 big": cut, "SIZE plain": "550 no", ...on },
    });
    const urls = ["/big", "/text;type=a", "/plain"].map((path) => server.url(path));
    const { status, stderr, cwd } = await ftpull(urls, { tries: 3 });
    const found = filesIn(cwd);
    expect([found["text"] === whole.text, found["plain"] === whole.plain]).toEqual([true, true]);
    expect([status, found["big"] === big], stderr).toEqual([expected, expected === 0]);
    const [first] = visits(server).filter(({ commands }) => commands.includes("REST 95904"));
    expect(first?.commands.slice(-2)).toEqual([last, "QUIT"]);
  });

  it.each(["450 busy", "550 no"])("hasn't one where REST is refused: %s", async (refusal) => {
    const server = await startServer({ files, on: { "RETR#1 big": cut, "REST#1": refusal } });
    const urls = ["/big", "/text;type=a"].map((path) => server.url(path));
    const { status, stderr, cwd } = await ftpull(urls, { tries: 3 });
    const found = filesIn(cwd);
    expect([found["big"] === big, found["text"] === whole.text]).toEqual([true, true]);
    expect(status, stderr).toBe(0);
    expect(visits(server).at(-1)?.commands.includes("REST 95904")).toBe(true);
  });
});
