/**
 * Shows that the four real servers come up as the other tests need them: they greet, let
 * both users in and nobody else, and offer the tree. No product code takes part.
 */
import { existsSync } from "node:fs";
import { expect, onTestFinished, test } from "vitest";
import { describeEachServer } from "./support/each-server.ts";
import { RawFtp } from "./support/raw-ftp.ts";
import { type RealServer, realServer } from "./support/servers.ts";
import { deepFile, manyNames, rootNames, sha256, sizedFiles, treeText } from "./support/tree.ts";

describeEachServer("is a server for tests", (server, kind) => {
  test("lets anonymous in, and lists the tree", async () => {
    const client = await anonymous(server());
    const { data, replies } = await client.transfer("LIST");
    const names = [...rootNames.directories, ...rootNames.files, rootNames.link];
    expect(replies.at(-1)).toMatch(/^226/);
    for (const name of names) expect(data.toString("latin1")).toContain(` ${name}`);
  });

  test.each(sizedFiles)("sends $pathname whole", async (file) => {
    const client = await anonymous(server());
    const { data, replies } = await client.transfer(`RETR ${file.pathname}`);
    expect(replies.at(-1)).toMatch(/^226/);
    expect(sha256(data)).toBe(sha256(file.content()));
  });

  test("sends a text with CRLF in TYPE A", async () => {
    const client = await anonymous(server());
    await client.command("TYPE A");
    const { data } = await client.transfer("RETR text.txt");
    expect(data.toString()).toBe(treeText.replaceAll("\n", "\r\n"));
  });

  test("lets the named user in, who can reach the bottom of the tree", async () => {
    const client = await connect(server());
    const { user, password } = server().account;
    expect(await client.logIn(user, password)).toMatch(/^230/);
    await client.command("TYPE I");
    expect(await client.command(`CWD ${server().absoluteRoot}`)).toMatch(/^250/);
    const { data } = await client.transfer(`RETR ${deepFile.pathname}`);
    expect(data).toEqual(deepFile.content());
    await client.command("CWD many");
    const listing = (await client.transfer("NLST")).data.toString().trimEnd().split("\r\n");
    const names = listing.filter((name) => name !== "." && name !== ".."); // Pure-FTPd's.
    expect(names.toSorted()).toEqual(manyNames);
  });

  test("keeps out a wrong password", async () => {
    const client = await connect(server());
    expect(await client.logIn(server().account.user, "wrong")).toMatch(/^530/);
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

async function anonymous(server: RealServer): Promise<RawFtp> {
  const client = await connect(server);
  expect(await client.logIn("anonymous", "nobody@example.invalid")).toMatch(/^230/);
  await client.command("TYPE I");
  return client;
}
