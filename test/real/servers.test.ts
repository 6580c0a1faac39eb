/**
 * Shows that the four real servers come up as the other tests need them: they greet, let
 * both users in and no other, and offer the tree. No product code takes part.
 */
import { existsSync } from "node:fs";
import { expect, onTestFinished, test } from "vitest";
import { describeEachServer } from "./support/each-server.ts";
import { RawFtp } from "./support/raw-ftp.ts";
import { type RealServer, realServer } from "./support/servers.ts";
import { deepFile, rootNames } from "./support/tree.ts";

describeEachServer("is a server for tests", (server, kind) => {
  test("lets anonymous in, and lists the tree", async () => {
    const client = await connect(server());
    expect(await client.logIn("anonymous", "me@example.invalid")).toMatch(/^230/);
    const { data, replies } = await client.transfer("LIST");
    const names = [...rootNames.directories, ...rootNames.files, rootNames.link];
    expect(replies.at(-1)).toMatch(/^226/);
    for (const name of names) expect(data.toString("latin1")).toContain(` ${name}`);
  });

  test("lets the named user in by the password alone, who can reach the bottom of the tree", async () => {
    const { account, absoluteRoot } = server();
    const stranger = await connect(server());
    expect(await stranger.logIn(account.user, "wrong")).toMatch(/^530/);
    const client = await connect(server());
    expect(await client.logIn(account.user, account.password)).toMatch(/^230/);
    await client.command("TYPE I");
    expect(await client.command(`CWD ${absoluteRoot}`)).toMatch(/^250/);
    const { data } = await client.transfer(`RETR ${deepFile.pathname}`);
    expect(data).toEqual(deepFile.content());
  });

  test("ends its sessions when it is closed, and leaves the tree", async () => {
    const second = await realServer(kind);
    const client = await connect(second);
    await second.close();
    expect(await client.reply()).not.toMatch(/^[123]/); // "421 shutting down", or nothing.
    expect(await client.reply()).toBe("");
    await expect(RawFtp.connect(second.port)).rejects.toThrow("ECONNREFUSED");
    expect(existsSync(second.root)).toBe(true);
  });
});

async function connect(server: RealServer): Promise<RawFtp> {
  const client = await RawFtp.connect(server.port);
  onTestFinished(() => client.close());
  expect(await client.reply()).toMatch(/^220/);
  return client;
}
