/** Directories in which other users plant links and partial files. */
import * as fs from "node:fs";
import { beforeEach, describe, expect, test } from "vitest";
import { generatedOctets } from "../support/generated.ts";
import { at, cwd, octetsOf, ownDirectory } from "../support/own-directory.ts";
import { leavePart } from "../support/part.ts";
import { run } from "../support/run-here.ts";
import { startServer } from "../support/start-server.ts";

const size = 200_000;
const modified = new Date("2020-01-02T03:04:05Z");
const files = { doc: { content: { size, seed: 3 }, modified }, small: "small\n" };
const isRoot = process.getuid?.() === 0;
const [other, owner] = [12_345, 12_346];

ownDirectory();

/** The directory with this mode and owner, and in it a link of this user's to ../rc. */
function plant(
  name: string,
  mode: number,
  directoryOf: number,
  linkOf: number,
  to = "../rc",
): void {
  if (!fs.existsSync(at("shared"))) fs.mkdirSync(at("shared"));
  fs.chownSync(at("shared"), directoryOf, directoryOf);
  fs.chmodSync(at("shared"), mode);
  fs.symlinkSync(to, at(`shared/${name}`));
  fs.lchownSync(at(`shared/${name}`), linkOf, linkOf);
}

describe.runIf(isRoot)(
  "a link that another user planted in a sticky, world-writable directory",
  () => {
    beforeEach(() => fs.writeFileSync(at("rc"), "kept"));

    const commands: [claim: string, name: string, args: readonly string[]][] = [
      ["-f", "doc", ["-P", "shared", "-f"]],
      ["-f of a small document", "small", ["-P", "shared", "-f"]],
      ["-c", "doc", ["-P", "shared", "-c"]],
      ["-O", "doc", ["-O", "shared/doc"]],
      ["-O to a name that isn't there yet", "doc", ["-O", "shared/doc"]],
    ];

    test.each(commands)("isn't followed by %s", async (claim, name, args) => {
      plant(name, 0o1777, 0, other);
      const isThere = !claim.endsWith("yet");
      if (!isThere) fs.rmSync(at("rc"));
      const server = await startServer({ files });
      const { status, stderr } = await run(["-q", ...args, server.url(`/${name}`)], { cwd });
      const link = `"shared/${name}" is a symbolic link of another user's`;
      const words = `${link} in a directory that all can write to`;
      expect(stderr).toMatch(new RegExp(`: cannot write "shared/${name}": ${words}\\n$`));
      expect(status).toBe(3);
      expect(fs.existsSync(at("rc")) ? fs.readFileSync(at("rc"), "latin1") : undefined).toBe(
        isThere ? "kept" : undefined,
      );
      expect(fs.readdirSync(at("shared"))).toEqual([name]);
      expect(fs.readdirSync(cwd)).toEqual(isThere ? ["rc", "shared"] : ["shared"]);
    });

    test("isn't followed in the middle of a chain", async () => {
      plant("doc", 0o1777, 0, other);
      fs.symlinkSync("shared/doc", at("first"));
      const server = await startServer({ files });
      const { status, stderr } = await run(["-q", "-O", "first", server.url("/doc")], { cwd });
      expect(stderr).toContain('cannot write "first": "');
      expect(stderr).toContain("shared/doc\" is a symbolic link of another user's");
      expect(status).toBe(3);
      expect(fs.readFileSync(at("rc"), "latin1")).toBe("kept");
    });

    test.each([[["-x"]], [["-x", "-r"]]])("isn't followed by %j as a directory", async (words) => {
      const server = await startServer({ files });
      fs.mkdirSync(at("rc.d"));
      plant(`127.0.0.1:${server.port}`, 0o1777, 0, other, "../rc.d");
      const args = ["-q", "-P", "shared", ...words, server.url("/small")];
      const { status, stderr } = await run(args, { cwd });
      expect(stderr).toContain("symbolic link");
      expect([status, fs.readdirSync(at("rc.d"))]).toEqual([3, []]);
    });

    const followed: [claim: string, mode: number, directoryOf: number, linkOf: number][] = [
      ["the user's own", 0o1777, owner, 0],
      ["the directory owner's", 0o1777, owner, owner],
      ["in a directory that isn't sticky", 0o777, owner, other],
      ["in a directory that only its group can write to", 0o1775, owner, other],
    ];

    test.each(followed)("is followed when it is %s", async (_claim, mode, directoryOf, linkOf) => {
      plant("doc", mode, directoryOf, linkOf);
      plant("small", mode, directoryOf, linkOf, "../rc2");
      const server = await startServer({ files });
      const urls = ["/doc", "/small"].map((path) => server.url(path));
      const result = await run(["-qf", "-P", "shared", ...urls], { cwd });
      expect(result).toMatchObject({ status: 0, stderr: "" });
      expect(fs.statSync(at("rc")).size).toBe(size);
      expect(fs.readFileSync(at("rc2"), "latin1")).toBe("small\n");
    });
  },
);

describe.runIf(isRoot)("a partial file that another user left in such a directory", () => {
  const plantPart = (name: string, url: string): void => {
    leavePart(at(`shared/${name}`), Buffer.alloc(size - 1, "!"), { url, size, modified });
    for (const each of [`${name}.ftpull`, `${name}.ftpull.json`])
      fs.lchownSync(at(`shared/${each}`), other, other);
  };

  test.each([[[]], [["-c"]], [["-f"]], [["-N"]], [["-r"]]])(
    "is never resumed: %j",
    async (words) => {
      fs.mkdirSync(at("shared"));
      fs.chmodSync(at("shared"), 0o1777);
      const server = await startServer({ files });
      for (const name of ["doc", "small"]) {
        plantPart(name, server.url(`/${name}`));
        const args = ["-q", ...words, "-P", "shared", server.url(`/${name}`)];
        expect(await run(args, { cwd })).toMatchObject({ status: 0, stderr: "" });
        const whole = name === "doc" ? generatedOctets(3, 0, size) : Buffer.from("small\n");
        expect(octetsOf(`shared/${name}`).equals(whole)).toBe(true);
      }
      expect(server.commands.filter((command) => command.startsWith("REST"))).toEqual([]);
    },
  );

  test.each(["doc.ftpull", "doc.ftpull.json"])(
    "isn't written through: a link at %s",
    async (name) => {
      fs.mkdirSync(at("shared"));
      fs.chmodSync(at("shared"), 0o1777);
      fs.writeFileSync(at("victim"), "kept");
      fs.symlinkSync(at("victim"), at(`shared/${name}`));
      fs.lchownSync(at(`shared/${name}`), other, other);
      const server = await startServer({ files });
      const result = await run(["-q", "-P", "shared", server.url("/doc")], { cwd });
      expect(result).toMatchObject({ status: 0, stderr: "" });
      expect(octetsOf("shared/doc").equals(generatedOctets(3, 0, size))).toBe(true);
      expect(fs.readFileSync(at("victim"), "latin1")).toBe("kept");
    },
  );
});
