/**
 * Strikes the program under test when it removes a file whose path ends in the part STRUCK: STRUCK_BY is the code of
 * the error, or a signal that comes before the file is removed.
 */
const fs = require("node:fs");
const { basename } = require("node:path");
const { syncBuiltinESMExports } = require("node:module");

exports.begin = ({ STRUCK, STRUCK_BY }) => {
  const { unlinkSync } = fs;
  fs.unlinkSync = (path) => {
    if (basename(String(path)) === STRUCK) {
      if (!STRUCK_BY.startsWith("SIG")) throw failure(STRUCK_BY, path);
      process.kill(process.pid, STRUCK_BY);
    }
    unlinkSync(path);
  };
  syncBuiltinESMExports();
  return () => {
    fs.unlinkSync = unlinkSync;
    syncBuiltinESMExports();
  };
};

const failure = (code, path) =>
  Object.assign(new Error(`${code}: unlink '${path}'`), { code, errno: -1, syscall: "unlink" });

if (process.env.STRUCK) exports.begin(process.env);
