/** Lets a test act in the middle of the program's steps: before a call of node:fs, in this process. */
import fs from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import { onTestFinished } from "vitest";

type Call = "linkSync" | "lstatSync" | "openSync" | "renameSync";

/** Calls `act` once, before the function is called with a path that has this text. */
export function beforeCall(name: Call, text: string, act: () => void): void {
  const functions = fs as unknown as Record<typeof name, (...args: unknown[]) => unknown>;
  const original = functions[name];
  const set = (called: typeof original): void => {
    functions[name] = called;
    syncBuiltinESMExports();
  };
  set((...args) => {
    if (String(args[0]).includes(text)) {
      set(original);
      act();
    }
    return original(...args);
  });
  onTestFinished(() => set(original));
}
