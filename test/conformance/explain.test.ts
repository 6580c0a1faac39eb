/** What --explain prints is what a server that agrees to everything receives. */
import { describe, expect, it } from "vitest";
import { startAgreeableServer } from "./support/agreeable-server.ts";
import { ftpull, redirectedTo } from "./support/client.ts";
import { ways } from "./support/ways.ts";

const isData = (command: string): boolean => command.startsWith("EPSV");

/** The commands that --explain prints, up to the data connection. */
async function explained(words: readonly string[]): Promise<string[]> {
  const { stdout } = await ftpull(["--explain", ...words]);
  const lines = (stdout.split("\n\n")[1] ?? "").split("\n").filter((line) => /^ {2}\S/.test(line));
  const commands = lines.map((line) => (/^ {2}(.*?)(?: {2,}|$)/.exec(line)?.[1] ?? "").trimEnd());
  return commands.slice(1, commands.findIndex(isData));
}

/** The commands that the same words make the program send, secrets left out. */
async function sent(words: readonly string[]): Promise<string[]> {
  const server = await startAgreeableServer({ users: { fellow: {} } });
  const env = { ...redirectedTo(server.port), FTPULL_PASSWORD: "secret" };
  await ftpull(["-O", "-", ...words], { env });
  const commands = server.commands.map((line) => Buffer.from(line, "latin1").toString());
  // A firewall may have ended a first session behind its login.
  const begin = commands.lastIndexOf(commands[0] ?? "");
  return commands
    .slice(begin, commands.findIndex(isData))
    .map((command) => command.replace(/^PASS .*/, "PASS ***").trimEnd());
}

describe("--explain prints the dialogue of", () => {
  it.each([
    ["S2 /x", ["--no-host"]],
    ["P12 /x.txt", ["--guess-type"]],
    ["P5 /a/;type=i", []],
    ["P6 /a/b;type=d", []],
  ])("%s %j", async (claim, options) => {
    const words = [...options, `ftp://myname@host.dom${claim.split(" ")[1]}`];
    expect(await explained(words)).toEqual(await sent(words));
  });

  it("a user beyond ASCII", async () => {
    const words = ["--user", "jan\u00e9", "ftp://host.dom/x"];
    const shown = await explained(words);
    expect(shown).toContain("USER jan\u00e9");
    expect(shown).toEqual(await sent(words));
  });

  it.each(ways)("%s", async (_claim, path, options, commands) => {
    const words = [...options, `ftp://host.dom${path}`];
    const shown = await explained(words);
    expect(shown).toEqual(await sent(words));
    expect(shown).toEqual(expect.arrayContaining(commands.map((line) => line.trimEnd())));
  });
});
