/**
 * Keeps V8's compiled code of the bundle for the next start, since compiling takes a third of the time of a
 * small download. The file holds the code twice, since V8 runs damaged code without a check, and comparing
 * costs less than a checksum; then the code's origin: hash and time of the bundle, V8, processor. With anything
 * wrong in the file or its folder, the program starts without it and says nothing.
 */
"use strict";
const fs = require("node:fs");

const { O_NOFOLLOW, O_NONBLOCK, O_RDONLY } = fs.constants;
const user = process.geteuid?.();
const [major] = process.versions.node.split(".");
const caches = cachesOf(process.env);
const folder = `${caches}/ftpull`;
const path = `${folder}/node${major}.cache`;

/** Octets of the copy that are compared at once. */
const pieceSize = 64 * 1024;

function cachesOf({ FTPULL_NO_CACHE: off, XDG_CACHE_HOME: named = "", HOME: home = "" }) {
  if (off === "1" || user === undefined) return undefined;
  if (named.startsWith("/")) return named;
  return home.startsWith("/") ? `${home}/.cache` : undefined;
}

/** Reads the code into `room`, if that is large enough. */
exports.read = (origin, room) => {
  if (caches === undefined) return undefined;
  let fd;
  try {
    if (!isPrivate(fs.lstatSync(folder), 0o700)) return undefined;
    fd = fs.openSync(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
    const stats = fs.fstatSync(fd);
    if (!stats.isFile() || !isPrivate(stats, 0o600)) return undefined;
    return codeIn(fd, (stats.size - origin.length) / 2, origin, room);
  } catch {
    return undefined;
  } finally {
    if (fd !== undefined) fs.closeSync(fd);
  }
};

function codeIn(fd, length, origin, room) {
  const code = room.subarray(0, length);
  const piece = room.subarray(length, length + pieceSize);
  fs.readSync(fd, code, 0, length, 0);
  for (let start = 0; start < length; start += pieceSize) {
    const octets = Math.min(pieceSize, length - start);
    fs.readSync(fd, piece, 0, octets, length + start);
    if (piece.compare(code, start, start + octets, 0, octets) !== 0) return undefined;
  }
  const end = fs.readSync(fd, piece, 0, pieceSize, 2 * length);
  return piece.latin1Slice(0, end) === origin ? code : undefined;
}

/** Replaces the cache in one step. `compiled` makes the code, once a file can be written. */
exports.write = (origin, compiled) => {
  if (caches === undefined) return;
  const temporary = `${path}.${process.pid}`;
  let fd;
  try {
    prepareFolder();
    fd = fs.openSync(temporary, "wx", 0o600);
    const code = compiled();
    fs.writeFileSync(fd, Buffer.concat([code, code, Buffer.from(origin)]));
    fs.renameSync(temporary, path);
  } catch {
    if (fd !== undefined) fs.rmSync(temporary, { force: true });
  }
};

function prepareFolder() {
  const { HOME: home = "" } = process.env;
  // With sudo, HOME may be another user's: that user could not use a folder of root.
  if (caches === `${home}/.cache` && fs.statSync(home).uid !== user) throw new Error(home);
  // Node's recursive mkdir never ends in /proc.
  makeFolder(caches);
  makeFolder(folder);
  if (!isPrivate(fs.lstatSync(folder), 0o700)) throw new Error(folder);
}

function makeFolder(name) {
  try {
    fs.mkdirSync(name, 0o700);
  } catch (error) {
    if (error.code !== "EEXIST") throw error;
  }
}

function isPrivate(stats, mode) {
  return stats.uid === user && (stats.mode & 0o777) === mode;
}
