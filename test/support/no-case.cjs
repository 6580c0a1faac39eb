/**
 * Makes the directory NO_CASE, and what is below it, one of a file system without case, for the
 * program under test: a name that differs from an existing one by case alone is that one.
 */
const fs = require("node:fs");
const { isAbsolute, join, relative, resolve } = require("node:path");
const { syncBuiltinESMExports } = require("node:module");

const { readdirSync } = fs;
let top = "";

const withoutCase = (path) => {
  const below = typeof path === "string" ? relative(top, resolve(path)) : "..";
  if (below === "" || below.startsWith("..") || isAbsolute(below)) return path;
  return below.split("/").reduce((directory, name) => {
    const names = namesIn(directory);
    const fold = (each) => each.toLowerCase() === name.toLowerCase();
    return join(directory, names.includes(name) ? name : (names.find(fold) ?? name));
  }, top);
};

const namesIn = (directory) => {
  try {
    return readdirSync(directory);
  } catch {
    return [];
  }
};

const verbs = {
  1: "lstat stat open unlink utimes mkdir rmdir access readFile writeFile exists".split(" "),
  2: ["rename", "link"],
};

/** Which functions take how many paths. */
const functions = Object.entries(verbs).flatMap(([paths, names]) =>
  names.flatMap((name) =>
    [
      [fs, name],
      [fs, `${name}Sync`],
      [fs.promises, name],
    ].map((at) => [...at, Number(paths)]),
  ),
);

exports.begin = ({ NO_CASE }) => {
  top = NO_CASE;
  const originals = functions
    .filter(([module, name]) => name in module)
    .map(([module, name, paths]) => {
      const original = module[name];
      module[name] = (...given) =>
        original(...given.map((each, index) => (index < paths ? withoutCase(each) : each)));
      return [module, name, original];
    });
  syncBuiltinESMExports();
  return () => {
    for (const [module, name, original] of originals) module[name] = original;
    syncBuiltinESMExports();
  };
};

if (process.env.NO_CASE) exports.begin(process.env);
