import fs from "node:fs";
import promises from "node:fs/promises";
import { syncBuiltinESMExports } from "node:module";
import { basename } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import type { Version } from "../../../src/files/destination.ts";
import { missingBehind } from "../../../src/files/gaps.ts";
import { NamedFile } from "../../../src/files/part/named-file.ts";
import { noOwner } from "../../../src/files/part/owner.ts";
import type { Collision } from "../../../src/files/part/publish.ts";
import { at, names, ownDirectory, put, text } from "../../support/own-directory.ts";

const document: Version = { url: "ftp://h/x", size: 6, modified: new Date("2001-02-03T04:05:06Z") };

const large = { ...document, size: 100_000 };

ownDirectory();

const from = (octets: number) => missingBehind(octets, document.size);
const note = (name: string): unknown => JSON.parse(text(name));

const begin = (file: NamedFile) => file.open(large, missingBehind(0, large.size));

async function fetched(file: NamedFile, octets: string): Promise<string> {
  begin(file);
  await file.writeAt(0, Buffer.from(octets));
  await file.publish(undefined);
  return file.label;
}

async function leavePartial(octets: string): Promise<void> {
  const file = new NamedFile(at("x"), "replace");
  file.open(document, from(0));
  await file.writeAt(0, Buffer.from(octets));
  await file.keep();
}

describe("a document that arrives", () => {
  test("is in a folder with its state until it is whole, then name alone", async () => {
    const file = new NamedFile(at("x"), "number");
    begin(file);
    await file.writeAt(0, Buffer.from("abc"));
    expect(text("x.ftpull/data")).toBe("abc");
    expect(note("x.ftpull/state.json")).toEqual({
      url: "ftp://h/x",
      size: 100_000,
      modified: "2001-02-03T04:05:06.000Z",
      missing: null,
    });
    expect(names()).not.toContain("x");
    await file.writeAt(3, Buffer.from("def"));
    await file.publish(undefined);
    expect(text("x")).toBe("abcdef");
    expect(names()).toEqual(["x"]);
  });

  test("has null in its note for what the server didn't say", async () => {
    const file = new NamedFile(at("x"), "number");
    file.open({ url: "ftp://h/x", size: undefined, modified: undefined }, missingBehind(0));
    await file.writeAt(0, Buffer.from("abc"));
    expect(note("x.ftpull/state.json")).toEqual({
      url: "ftp://h/x",
      size: null,
      modified: null,
      missing: null,
    });
    await file.keep();
  });

  test("gets the server's modification time", async () => {
    const file = new NamedFile(at("x"), "number");
    begin(file);
    await file.publish(document.modified);
    expect(fs.statSync(at("x")).mtime).toEqual(document.modified);
  });

  test.each([new Date(Number.NaN), new Date("+099999-01-01T00:00:00Z")])(
    "is kept when its time is %s",
    async (modified) => {
      const file = new NamedFile(at("x"), "number");
      begin(file);
      await file.writeAt(0, Buffer.from("abc"));
      await file.publish(modified);
      expect(text("x")).toBe("abc");
    },
  );

  test("is there when it is empty", async () => {
    await fetched(new NamedFile(at("x"), "number"), "");
    expect(text("x")).toBe("");
  });

  test("gets directories that are missing", async () => {
    await fetched(new NamedFile(at("a/b/x"), "number"), "abc");
    expect(text("a/b/x")).toBe("abc");
  });
});

describe("a document that doesn't arrive", () => {
  test("leaves nothing when no octet came", async () => {
    const file = new NamedFile(at("x"), "number");
    begin(file);
    await file.keep();
    expect(names()).toEqual([]);
  });

  test("leaves what came, with its note", async () => {
    await leavePartial("abc");
    expect(names()).toEqual(["x.ftpull"]);
  });

  test("leaves nothing when another program removed what came", async () => {
    const file = new NamedFile(at("x"), "replace");
    begin(file);
    await file.writeAt(0, Buffer.from("abc"));
    fs.rmSync(at("x.ftpull/data"));
    await expect(file.publish(undefined)).rejects.toThrow("no such file or directory");
    expect(await file.keep()).toBe(0);
    expect(names()).toEqual([]);
  });

  test("leaves nothing when it is discarded", async () => {
    const file = new NamedFile(at("x"), "number");
    begin(file);
    await file.writeAt(0, Buffer.from("abc"));
    await file.discard();
    expect(names()).toEqual([]);
  });

  test("leaves the file alone that has its name", async () => {
    put("x", "old");
    await leavePartial("abc");
    expect(text("x")).toBe("old");
  });
});

describe("a name that is there already", () => {
  test("is left alone, and the next free number used", async () => {
    put("x", "old");
    put("x.1", "old");
    const file = new NamedFile(at("x"), "number");
    expect(await fetched(file, "new")).toBe(at("x.2"));
    expect(file.label).toBe(at("x.2"));
    expect([text("x"), text("x.1"), text("x.2")]).toEqual(["old", "old", "new"]);
  });

  test("is replaced by force, with its permissions kept", async () => {
    put("x", "old");
    fs.chmodSync(at("x"), 0o640);
    await fetched(new NamedFile(at("x"), "replace"), "new");
    expect(text("x")).toBe("new");
    expect(fs.statSync(at("x")).mode & 0o777).toBe(0o640);
  });

  test("is left alone when it came to be while the document arrived", async () => {
    const file = new NamedFile(at("x"), "number");
    begin(file);
    await file.writeAt(0, Buffer.from("new"));
    put("x", "other");
    await file.publish(undefined);
    expect(file.label).toBe(at("x.1"));
    expect([text("x"), text("x.1")]).toEqual(["other", "new"]);
  });

  test("is left alone under --no-clobber, and nothing stays of the document", async () => {
    const file = new NamedFile(at("x"), "fail");
    begin(file);
    await file.writeAt(0, Buffer.from("new"));
    put("x", "other");
    await expect(file.publish(undefined)).rejects.toThrow(`"${at("x")}": it is there already`);
    await file.keep();
    expect([text("x"), names()]).toEqual(["other", ["x"]]);
  });

  test("counts as there when it is a link to nowhere", async () => {
    fs.symlinkSync("nowhere", at("x"));
    expect(await fetched(new NamedFile(at("x"), "number"), "new")).toBe(at("x.1"));
  });

  test("is written through when it is a symbolic link", async () => {
    fs.mkdirSync(at("there"));
    put("there/y", "old");
    fs.symlinkSync("there/y", at("x"));
    await fetched(new NamedFile(at("x"), "replace"), "new");
    expect(fs.readlinkSync(at("x"))).toBe("there/y");
    expect(text("there/y")).toBe("new");
  });

  test("is refused when it is a directory", () => {
    fs.mkdirSync(at("x"));
    expect(() => new NamedFile(at("x"), "replace").open(document, from(0))).toThrow(
      `cannot write "${at("x")}": it is a directory`,
    );
  });

  test("is refused when it is a link that leads to itself", () => {
    fs.symlinkSync("x", at("x"));
    expect(() => new NamedFile(at("x"), "replace").open(document, from(0))).toThrow(
      `cannot write "${at("x")}": too many symbolic links`,
    );
  });
});

describe("another run that writes the same name", () => {
  const writer = async (collision: Collision) => {
    const file = new NamedFile(at("x"), collision);
    begin(file);
    await file.writeAt(0, Buffer.from("first"));
    return file;
  };

  test("makes the default take the next name", async () => {
    const first = await writer("number");
    const second = await writer("number");
    expect([first.label, second.label]).toEqual([at("x"), at("x.1")]);
    await Promise.all([first.publish(undefined), second.publish(undefined)]);
    expect(names()).toEqual(["x", "x.1"]);
  });

  test.each(["replace", "continue"] as const)("makes %s fail", async (collision) => {
    const first = await writer("number");
    await expect(writer(collision)).rejects.toThrow(
      `cannot write "${at("x")}": this run is writing it as "${at("x")}"`,
    );
    await first.keep();
  });
});

describe("a partial file", () => {
  test("is told and continued", async () => {
    await leavePartial("abcd");
    const file = new NamedFile(at("x"), "continue");
    expect(file.partial()).toEqual({ octets: 4, document });
    expect(file.tail(4, 2).toString()).toBe("cd");
    expect(file.tail(3, 4096).toString()).toBe("abc");
    file.open(document, from(3));
    await file.writeAt(3, Buffer.from("DEF"));
    await file.publish(undefined);
    expect(text("x")).toBe("abcDEF");
    expect(names()).toEqual(["x"]);
  });

  test("isn't published before it was opened", async () => {
    await leavePartial("abc");
    const file = new NamedFile(at("x"), "resume");
    expect(file.partial()).toMatchObject({ octets: 3 });
    await expect(file.publish(undefined)).rejects.toThrow("before it was opened");
    expect(names()).toEqual(["x.ftpull"]);
  });

  test("that is whole already needs no octet more", async () => {
    await leavePartial("abcdef");
    const file = new NamedFile(at("x"), "continue");
    file.open(document, from(6));
    await file.publish(undefined);
    expect(text("x")).toBe("abcdef");
  });

  test("is told within the run that wrote it, and begins again where it is told to", async () => {
    const file = new NamedFile(at("x"), "number");
    expect(file.partial()).toBeUndefined();
    file.open(document, from(0));
    await file.writeAt(0, Buffer.from("abcd"));
    expect(file.partial()?.octets).toBe(4);
    file.open(document, from(2));
    expect(file.partial()?.octets).toBe(2);
    await file.writeAt(2, Buffer.from("C"));
    expect(text("x.ftpull/data")).toBe("abC");
    file.open(document, from(0));
    await file.writeAt(0, Buffer.from("z"));
    expect(text("x.ftpull/data")).toBe("z");
    await file.keep();
  });

  test("of an earlier run isn't told, and is replaced, where nothing is continued", async () => {
    await leavePartial("abcd");
    const file = new NamedFile(at("x"), "number");
    expect(file.partial()).toBeUndefined();
    await fetched(file, "new");
    expect(text("x")).toBe("new");
    expect(names()).toEqual(["x"]);
  });

  test("of an earlier run stays when the next one gets no octet", async () => {
    await leavePartial("abcd");
    const file = new NamedFile(at("x"), "continue");
    file.partial();
    await file.keep();
    expect(text("x.ftpull/data")).toBe("abcd");
  });

  const edited = { url: "ftp://h/x", size: 4 };
  const states = [{ url: 7 }, ...[[1], []].map((missing) => ({ ...edited, missing }))];
  test.each(["", "{", "null", ...states.map((state) => JSON.stringify(state))])(
    "whose state was cut or edited to %j is begun again",
    async (state) => {
      await leavePartial("abcd");
      put("x.ftpull/state.json", state);
      const file = new NamedFile(at("x"), "continue");
      expect(file.partial()).toEqual({ octets: 4, document: undefined });
      await fetched(file, "new");
      expect(text("x")).toBe("new");
      expect(names()).toEqual(["x"]);
    },
  );

  test("that was being given its name when the run was killed doesn't harm the file", async () => {
    await leavePartial("abcdef");
    fs.linkSync(at("x.ftpull/data"), at("x"));
    const file = new NamedFile(at("x"), "replace");
    file.open(document, from(0));
    await file.writeAt(0, Buffer.from("new"));
    expect(text("x")).toBe("abcdef");
    await file.keep();
  });

  test("is never a symbolic link that somebody put there", async () => {
    put("victim", "keep");
    fs.mkdirSync(at("x.ftpull"));
    fs.writeFileSync(at(`x.ftpull/${noOwner}`), "");
    fs.symlinkSync("../victim", at("x.ftpull/data"));
    await fetched(new NamedFile(at("x"), "number"), "new");
    expect(text("victim")).toBe("keep");
    expect(text("x")).toBe("new");
  });

  test("can be a file that another program wrote in place, which stays until all is there", async () => {
    put("x", "abcd");
    fs.chmodSync(at("x"), 0o440);
    const file = new NamedFile(at("x"), "continue");
    const { mtime } = fs.statSync(at("x"));
    const inPlace = { size: 4, mtime };
    expect(file.partial()).toMatchObject({ octets: 4, document: undefined, inPlace });
    expect(names()).toEqual(["x"]);
    expect(file.tail(4, 2).toString()).toBe("cd");
    file.open(document, from(4));
    await file.writeAt(4, Buffer.from("ef"));
    expect([text("x"), text("x.ftpull/data")]).toEqual(["abcd", "abcdef"]);
    await file.publish(undefined);
    expect(text("x")).toBe("abcdef");
    expect(fs.statSync(at("x")).mode & 0o777).toBe(0o440);
    expect(names()).toEqual(["x"]);
  });

  test("in place that another program cuts meanwhile is an error", () => {
    put("x", "abcd");
    const file = new NamedFile(at("x"), "continue");
    file.partial();
    fs.truncateSync(at("x"), 3);
    expect(() => file.open(document, from(4))).toThrow("expected 4 octets, found 3");
  });

  test("in place that is whole gets the time, and isn't copied", async () => {
    put("x", "abcdef");
    const { ino } = fs.statSync(at("x"));
    const file = new NamedFile(at("x"), "continue");
    file.partial();
    file.open(document, from(6));
    await file.publish(document.modified);
    expect(fs.statSync(at("x"))).toMatchObject({ ino, mtime: document.modified });
    expect(names()).toEqual(["x"]);
  });
});

describe("a disk that fails", () => {
  const failure = Object.assign(new Error("EIO: i/o error"), { code: "EIO", errno: -5 });

  /** Files whose octets were brought to the disk; `fails` are not. */
  function watchSyncs(fails: readonly string[] = []): string[] {
    const { open } = promises;
    const synced: string[] = [];
    promises.open = async (path, ...rest) => {
      const file = await open(path, ...rest);
      const name = basename(String(path));
      const sync = (): Promise<void> => {
        synced.push(name);
        return fails.includes(name) ? Promise.reject(failure) : Promise.resolve();
      };
      return Object.assign(file, { sync });
    };
    syncBuiltinESMExports();
    onTestFinished(() => {
      promises.open = open;
      syncBuiltinESMExports();
    });
    return synced;
  }

  test("keeps octets and state once both are on the disk", async () => {
    const synced = watchSyncs();
    await leavePartial("abcd");
    expect(synced.toSorted()).toEqual(["data", "state.json"]);
    expect(fs.readdirSync(at("x.ftpull"))).toContain(noOwner);
  });

  test.each(["data", "state.json"])("that refuses %s is told", async (name) => {
    watchSyncs([name]);
    const words = `cannot write "${at(`x.ftpull/${name}`)}": i/o error`;
    await expect(leavePartial("abcd")).rejects.toThrow(words);
    expect(fs.readdirSync(at("x.ftpull"))).not.toContain(noOwner);
  });

  test("that can't read a state is told, and loses nothing", async () => {
    await leavePartial("abcd");
    const { openSync } = fs;
    fs.openSync = (path, ...rest) => {
      if (basename(String(path)) === "state.json") throw failure;
      return openSync(path, ...rest);
    };
    syncBuiltinESMExports();
    onTestFinished(() => {
      fs.openSync = openSync;
      syncBuiltinESMExports();
    });
    const words = `cannot read "${at("x.ftpull/state.json")}": i/o error`;
    expect(() => new NamedFile(at("x"), "continue").partial()).toThrow(words);
    expect(text("x.ftpull/data")).toBe("abcd");
  });
});
