/**
 * A firewall forgets a control connection that is silent during a long transfer: a document of
 * which all octets came is whole, with a note, and one of unknown size is not.
 */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { close, reset, stall, transfer } from "../support/actions.ts";
import { run } from "../support/run-here.ts";
import type { Action } from "../support/script.ts";
import { startServer } from "../support/start-server.ts";

const text = "0123456789".repeat(1000);

const losses: [manner: string, completion: Action, words: string][] = [
  ["reset", reset, "connection reset by peer"],
  ["FIN", close, "the server closed the control connection"],
  ["silence", stall, "the server sent no reply for 4 s"],
];

async function fetch(completion: Action, on: Record<string, Action>, path = "/x") {
  const server = await startServer({
    files: { x: text },
    on: { RETR: transfer({ completion }), ...on },
  });
  const options = ["--progress", "none", "-t", "1", "-T", "4"];
  const result = await run([...options, server.url(path)]);
  const file = join(result.cwd, "x");
  return {
    status: result.status,
    lines: result.stderr.replaceAll(server.url(path), "URL").split("\n"),
    whole: existsSync(file) && readFileSync(file, "utf8") === text,
  };
}

describe.each(losses)(
  "a control connection lost after the data, by %s,",
  (_manner, loss, words) => {
    it("is a failure where the size is unknown", async () => {
      const { status, lines, whole } = await fetch(loss, { SIZE: "502 No SIZE" });
      expect(lines).toEqual([`ftpull: URL: ${words}; nothing was kept`, ""]);
      expect([status, whole]).toEqual([4, false]);
    });

    it("leaves the next document to a new connection", async () => {
      const server = await startServer({
        files: { x: text, y: "y" },
        on: { "RETR x": transfer({ completion: loss }) },
      });
      const options = ["-q", "-t", "1", "-T", "4"];
      const { status, stderr, cwd } = await run([...options, server.url("/x"), server.url("/y")]);
      expect([status, stderr]).toEqual([0, ""]);
      expect(readFileSync(join(cwd, "x"), "utf8")).toBe(text);
      expect(readFileSync(join(cwd, "y"), "utf8")).toBe("y");
      expect(server.connections).toHaveLength(2);
    });
  },
);
