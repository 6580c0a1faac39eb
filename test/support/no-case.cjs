/**
 * Makes the directory NO_CASE, and what is below it, one of a file system without case, for the
 * program under test: a name that differs from an existing one by case alone is that one.
 */
const fs = require("node:fs");
const { isAbsolute, join, relative, resolve } = require("node:path");
const { syncBuiltinESMExports } = require("node:module");

const top = process.env.NO_CASE;
const { readdirSync } = fs;

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

const patch = (module, name, paths) => {
  const original = module[name];
  module[name] = (...given) =>
    original(...given.map((each, index) => (index < paths ? withoutCase(each) : each)));
};

const verbs = ["lstat", "stat", "open", "unlink", "utimes", "mkdir", "rmdir", "access", "readFile"];
for (const verb of [...verbs, "writeFile"])
  for (const name of [verb, `${verb}Sync`]) patch(fs, name, 1);
for (const verb of ["rename", "link"]) for (const name of [verb, `${verb}Sync`]) patch(fs, name, 2);
patch(fs, "existsSync", 1);
for (const name of ["lstat", "stat", "open", "unlink", "utimes", "mkdir", "rmdir", "readFile"])
  patch(fs.promises, name, 1);
for (const name of ["rename", "link"]) patch(fs.promises, name, 2);
syncBuiltinESMExports();
