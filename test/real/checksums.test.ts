/** The checksums that ProFTPD's mod_digest computes: of every file, each by every command. */
import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import { runningHash } from "../../src/checksums/running-hash.ts";
import type { ChecksumCommand } from "../../src/checksums/server-checksum.ts";
import { serverEvidence } from "../../src/documents/verify/server-checksum.ts";
import type { Plan } from "../../src/url/plan.ts";
import { openSession } from "../support/open-session.ts";
import { describeEachServer } from "./support/each-server.ts";
import { deepFile, latin1File, oddFiles, sizedFiles, type TreeFile } from "./support/tree.ts";

const files = [...sizedFiles, ...oddFiles, latin1File, deepFile];

describeEachServer(
  "computes checksums",
  (server) => {
    test("the strongest one comes first", async () => {
      const session = await openSession(server().port);
      const content = deepFile.content();
      const found = await serverEvidence(session, planOf(deepFile), content.length);
      const value = createHash("sha512").update(content).digest("hex");
      expect(found?.checksums).toEqual([{ algorithm: "sha512", value }]);
    });

    test.each<ChecksumCommand>([
      { command: "HASH", algorithm: "sha256", hashName: "SHA-256" },
      { command: "XSHA256", algorithm: "sha256" },
      { command: "XSHA", algorithm: "sha1" },
      { command: "XMD5", algorithm: "md5" },
      { command: "XCRC", algorithm: "crc32" },
    ])("%j is right, or unknown for names with quotes and for an empty file", async (command) => {
      const session = await openSession(server().port);
      const unknown: string[] = [];
      for (const file of files) {
        const content = file.content();
        const hash = runningHash(command.algorithm);
        hash.update(content);
        const plan = planOf(file);
        const evidence = await serverEvidence(session, plan, content.length, command);
        const [found] = evidence?.checksums ?? [];
        if (found === undefined) unknown.push(plan.name);
        else expect(found, file.pathname).toEqual({ ...found, value: hash.digest() });
      }
      expect(unknown).toEqual(command.command === "HASH" ? [] : ["empty", 'say "hello"']);
    });
  },
  { kinds: ["proftpd"], options: { config: ["LoadModule mod_digest.c"] } },
);

function planOf({ pathname }: TreeFile): Plan {
  const cwds = pathname.split("/");
  const name = cwds.pop() ?? "";
  return { cwds, name, action: "retrieve", type: "I", conversion: "none" };
}
