/** Storms on a file system that takes two names for one. */
import { fileURLToPath } from "node:url";
import { expect } from "vitest";
import { generatedOctets } from "../../support/generated.ts";
import { ScriptedServer } from "../../support/scripted-server.ts";
import type { Random } from "./random.ts";
import { type Began, Place } from "./storm-place.ts";

const hook = fileURLToPath(new URL("../../support/name-forms.cjs", import.meta.url));

/** Names that are one for the form, and for it alone. */
const twins: Readonly<Record<string, readonly string[]>> = {
  case: ["README", "Readme", "readme"],
  nfc: ["\u00e9", "e\u0301"],
  dots: ["x", "x.", "x.."],
  ignorable: ["joined", "joi\u200dned"],
};

const folds: Readonly<Record<string, (name: string) => string>> = {
  case: (name) => name.toLowerCase(),
  nfc: (name) => name.normalize("NFC"),
  dots: (name) => name.replace(/\.+$/, ""),
  ignorable: (name) => name.replace("\u200d", ""),
};

/** The second of two files with one local name fails; the first one stays, whatever runs follow. */
export async function nameForms(random: Random, began: Began): Promise<void> {
  const form = random.pick(Object.keys(twins));
  const fold = folds[form]!;
  const names = twins[form]!.toSorted(() => random.next() - 0.5).slice(0, 2);
  const large = random.chance(0.3) ? 100_000 : 0;
  const size = large + random.below(3000);
  const isDirectory = random.chance(0.3);
  const pathOf = (name: string): string => `t/${isDirectory ? `${name}/file` : name}`;
  const files = Object.fromEntries([
    ...names.map((name, index) => [pathOf(name), generatedOctets(1 + index, 0, size)] as const),
    ...["a", "b/c", "d"].map((name) => [`t/${name}`, generatedOctets(5, 0, 999)] as const),
  ]);
  const server = await ScriptedServer.start({ files });
  const versions = names.map((name) => files[pathOf(name)]!);
  const spellings = [...names, fold(names[0]!)].map((name) => [pathOf(name), versions] as const);
  const place = began(await Place.make(server, { ...files, ...Object.fromEntries(spellings) }));
  const env = {
    NODE_OPTIONS: `--require=${hook}`,
    NAME_FORMS: random.chance(0.3) ? `${form},stored` : form,
    NAME_FORMS_AT: place.cwd,
  };
  const jobs = ["-j", random.pick(["1", "3"])];
  const modes = [[], ["-c"], ["-f"], ["--no-clobber"]];
  for (const mode of [random.pick(modes), random.pick(modes)]) {
    const args = ["-r", ...jobs, ...mode, server.url("/t/")];
    const { status, stderr } = await place.run(args, [], { env });
    expect(status).toBe(3);
    const isTold = mode[0] !== "--no-clobber"; // of several sessions one finds a file there
    // The one that comes second is told, or that its partial file is being written.
    if (isTold && !stderr.includes("is writing it"))
      for (const name of names) expect(stderr).toContain(`"t/${name}"`);
  }
}
