/**
 * A file system that takes several names for one, for the program under test: NAME_FORMS lists which
 * (`case`, `nfc`, `dots`, `ignorable`, with commas), NAME_FORMS_AT is the directory where it begins. A
 * file keeps the name that it was made with, as on ext4 and ZFS; with `stored` in the list it gets the
 * common form of its names, as on vfat and HFS+.
 */
const fs = require("node:fs");
const { isAbsolute, join, relative, resolve, sep } = require("node:path");
const { syncBuiltinESMExports } = require("node:module");

const forms = {
  case: (name) => name.toUpperCase().toLowerCase(),
  nfc: (name) => name.normalize("NFC"),
  dots: (name) => name.replace(/(?<=[^.])\.+$/, ""),
  ignorable: (name) => name.replace(/\p{Default_Ignorable_Code_Point}/gu, ""),
};

const { readdirSync } = fs;
let top = "";
let isStored = false;
let fold = (name) => name;

/** The path as the file system below has it; a path elsewhere stays. */
const below = (path) => {
  const way = typeof path === "string" ? relative(top, resolve(path)) : "..";
  const isOutside = way === ".." || way.startsWith(`..${sep}`) || isAbsolute(way);
  if (way === "" || isOutside) return path;
  return way.split(sep).reduce((directory, name) => join(directory, nameIn(directory, name)), top);
};

const nameIn = (directory, name) => {
  const names = namesIn(directory);
  if (names.includes(name)) return name;
  const form = fold(name);
  return names.find((each) => fold(each) === form) ?? (isStored ? form : name);
};

const namesIn = (directory) => {
  try {
    return readdirSync(directory);
  } catch {
    return [];
  }
};

const withOnePath =
  "access chmod exists lstat lutimes mkdir open opendir readFile readdir readlink realpath rm rmdir stat unlink utimes writeFile";

/** Positions of the paths among the arguments of each function. */
const positions = {
  ...Object.fromEntries(withOnePath.split(" ").map((name) => [name, [0]])),
  rename: [0, 1],
  link: [0, 1],
  copyFile: [0, 1],
  symlink: [1],
};
const functions = Object.entries(positions)
  .flatMap(([name, at]) => [
    { module: fs, name, at },
    { module: fs, name: `${name}Sync`, at },
    { module: fs.promises, name, at },
  ])
  .filter(({ module, name }) => name in module);

exports.begin = ({ NAME_FORMS, NAME_FORMS_AT }) => {
  const words = NAME_FORMS.split(",");
  const chosen = words.filter((word) => word !== "stored").map((word) => forms[word]);
  top = NAME_FORMS_AT;
  isStored = words.includes("stored");
  fold = (name) => chosen.reduce((text, form) => form(text), name);
  const originals = functions.map(({ module, name }) => module[name]);
  for (const { module, name, at } of functions) module[name] = wrapped(module[name], at);
  syncBuiltinESMExports();
  return () => {
    for (const [index, { module, name }] of functions.entries()) module[name] = originals[index];
    syncBuiltinESMExports();
  };
};

const wrapped = (original, at) => {
  const call = (...given) =>
    original(...given.map((each, index) => (at.includes(index) ? below(each) : each)));
  if (original.native !== undefined) call.native = wrapped(original.native, at);
  return call;
};

if (process.env.NAME_FORMS) exports.begin(process.env);
