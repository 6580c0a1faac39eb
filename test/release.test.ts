/** `npm run release`: a package that is installed without a network or a build, and what lies beside it. */
import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import packageJson from "../package.json" with { type: "json" };
import { startServer } from "./support/start-server.ts";
import { temporaryDirectory } from "./support/temporary-directory.ts";

const execute = promisify(execFile);
const name = `ftpull-${packageJson.version}.tgz`;
const completions = { bash: "ftpull.bash", zsh: "_ftpull", fish: "ftpull.fish" };

const copies = mkdtempSync(join(tmpdir(), "ftpull-release-"));
let folder: string;

beforeAll(async () => {
  folder = await release("022");
});

afterAll(() => rmSync(copies, { recursive: true }));

/** Makes a release in a copy of the checkout, and returns its folder: other tests use the checkout's `dist`. */
async function release(umask: string): Promise<string> {
  const copy = mkdtempSync(join(copies, umask));
  const sources = "bin man src package.json tsconfig.json LICENSE README.md";
  const script = `umask ${umask} && cp -R ${sources} "$0" && ln -s "$PWD/node_modules" "$0" && cd "$0"`;
  await execute("sh", ["-c", `${script} && node src/build/bundle.mjs release`, copy]);
  return join(copy, "dist/release");
}

const octetsIn = (folder: string): Map<string, string> =>
  new Map(readdirSync(folder).map((file) => [file, readFileSync(join(folder, file), "latin1")]));

async function fromPackage(folder: string, ...files: string[]): Promise<string> {
  return (await execute("tar", ["-xOzf", join(folder, name), ...files])).stdout;
}

test("a release is a package without dependencies, with their licences, beside the completions and the sums", async () => {
  const octets = octetsIn(folder);
  const files = [name, ...Object.values(completions)];
  expect([...octets.keys()].toSorted()).toEqual([...files, "SHA256SUMS"].toSorted());
  const sums = files.map((file) => {
    const sum = createHash("sha256").update(octets.get(file)!, "latin1").digest("hex");
    return `${sum}  ${file}\n`;
  });
  expect(octets.get("SHA256SUMS")).toBe(sums.join(""));

  const packed = JSON.parse(await fromPackage(folder, "package/package.json")) as object;
  expect(Object.keys(packed).filter((key) => /dependencies|scripts/i.test(key))).toEqual([]);
  const { stdout } = await execute("tar", ["-tvzf", join(folder, name)]);
  expect(stdout.match(/package\/.*/g)?.toSorted()).toEqual([
    "package/LICENSE",
    "package/README.md",
    "package/bin/code-cache.js",
    "package/bin/ftpull.js",
    "package/bin/package.json",
    "package/dist/ftpull.cjs",
    "package/dist/licenses.txt",
    "package/dist/manual.gz",
    "package/man/ftpull.1",
    "package/package.json",
  ]);
  expect(octets.get(name)!.length).toBeLessThan(220_000);

  const licenses = await fromPackage(folder, "package/dist/licenses.txt");
  // enquirer brings ansi-colors.
  for (const bundled of [...Object.keys(packageJson.dependencies), "ansi-colors"])
    expect(licenses).toMatch(new RegExp(`^${bundled} [\\d.]+\n\n[^]*?Copyright`, "m"));
});

test("two releases of one commit have the same octets, whatever the folder and the umask", async () => {
  expect(octetsIn(await release("077"))).toEqual(octetsIn(folder));
});

test("the package, installed into an empty prefix without a network, gives ftpull and its manual", async () => {
  const home = await temporaryDirectory();
  const prefix = join(home, "prefix");
  const env = {
    PATH: `${prefix}/bin:${process.env["PATH"]}`,
    HOME: home,
    npm_config_cache: join(home, "cache"),
    npm_config_registry: "http://127.0.0.1:1/",
  };
  const run = async (command: string, ...words: string[]): Promise<string> =>
    (await execute(command, words, { cwd: home, env })).stdout;
  mkdirSync(prefix);
  await run("npm", "install", "--global", "--offline", "--prefix", prefix, join(folder, name));

  expect(readdirSync(join(prefix, "lib/node_modules"))).toEqual(["ftpull"]);
  expect(await run("ftpull", "--version")).toBe(`ftpull ${packageJson.version}\n`);
  const manual = await run("ftpull", "--manual");
  expect(manual).toBe(readFileSync("man/ftpull.txt", "utf8"));
  for (const [shell, file] of Object.entries(completions))
    expect(await run("ftpull", "--completion", shell)).toBe(
      readFileSync(join(folder, file), "utf8"),
    );

  const server = await startServer({ files: { x: "text\n", y: "more\n" } });
  await run("ftpull", server.url("/x"));
  expect(readFileSync(join(home, "x"), "utf8")).toBe("text\n");
  expect(await run("ftpull", "-O", "-", server.url("/y"))).toBe("more\n");
  expect(await run("ftpull", server.url("/"))).toBe("x\ny\n");
});
