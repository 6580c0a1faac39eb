/** A refusal (5yz) after data has come is a break: it is tried again, and what came is built on. */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { transfer } from "../support/actions.ts";
import { generatedOctets } from "../support/generated.ts";
import { run } from "../support/run-here.ts";
import type { Step } from "../support/script.ts";
import { startServer } from "../support/start-server.ts";

const size = 300_000;
const files = { "pub/x": { size, seed: 3 } };
const whole = generatedOctets(3, 0, size);

/** A refusal behind the first half of the document, wherever the transfer begins. */
function half(reply: string): Step {
  return (exchange) =>
    transfer({ first: size / 2 - exchange.session.offset, completion: reply })(exchange);
}

const oops = "500 OOPS: vsf_sysutil_recv_peek: no data";
const refusals = [oops, "550 Read error", "551 Page type unknown", "552 Quota exceeded"];

/** The RETR and REST lines that a server received. */
function restarts(commands: readonly string[]): string[] {
  return commands.filter((command) => /^(?:RETR|REST|CWD) /.test(command));
}

describe("5yz after half of a document", () => {
  test.each(refusals)("%s: tried again and resumed", async (reply) => {
    const server = await startServer({ files, on: { "RETR#1": half(reply) } });
    const { status, cwd, stderr } = await run(["--no-pipelining", server.url("/pub/x")]);
    expect(stderr).toContain(`${reply.slice(4)}"; trying again in `);
    expect(readFileSync(join(cwd, "x")).equals(whole)).toBe(true);
    expect(existsSync(join(cwd, "x.ftpull/data"))).toBe(false);
    expect(restarts(server.commands)).toEqual(["CWD pub", "RETR x", "REST 145904", "RETR x"]);
    expect(status).toBe(0);
  });

  test.each(["550 No such file", "500 OOPS: no"])("%s before any data is final", async (reply) => {
    const on = { RETR: transfer({ first: 0, completion: reply }) };
    const server = await startServer({ files, on });
    const { status, stderr } = await run([server.url("/pub/x;type=i")]);
    expect(stderr).not.toContain("trying again");
    expect(server.commands.filter((command) => command === "RETR x")).toHaveLength(1);
    expect(status).toBe(8);
  });
});
