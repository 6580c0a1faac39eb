/** Names that servers misread. */
import { describe, expect, it } from "vitest";
import type { Step } from "../support/script.ts";
import { startServer } from "../support/start-server.ts";
import { filesIn, ftpull } from "./support/client.ts";

describe.each([
  ["MLSD", {}],
  ["LIST", { features: ["SIZE", "MDTM", "REST STREAM"] }],
])("an entry of a tree whose name begins with a blank, listed by %s", (_verb, options) => {
  const strip: Step = (exchange) => {
    exchange.argument = exchange.argument.trimStart();
    return exchange.proceed();
  };
  const on = { SIZE: strip, MDTM: strip, RETR: strip, CWD: strip };
  const files = { "d/x": "other", "d/ x": "own, longer", "d/y/z": "other", "d/ y/z": "inner" };

  it.each([[[]], [["-N"]]])("isn't mistaken for the one without the blank: %j", async (words) => {
    const server = await startServer({ files, on, ...options });
    const { status, stderr, cwd } = await ftpull(["-r", ...words, server.url("/d/")]);
    const { "d/ x": x, "d/ y/z": z } = filesIn(cwd);
    expect([status, x, z], stderr).toEqual([0, files["d/ x"], files["d/ y/z"]]);
  });
});
