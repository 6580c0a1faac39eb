/** A temporary directory for each test of a file, and reading its files. */
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach } from "vitest";
import { temporaryDirectory } from "./temporary-directory.ts";

export let cwd: string;

export function ownDirectory(): void {
  beforeEach(async () => {
    cwd = await temporaryDirectory();
  });
}

export const at = (name: string): string => join(cwd, name);

export const put = (name: string, octets: string | Buffer): void => writeFileSync(at(name), octets);

export const octetsOf = (name: string): Buffer => readFileSync(at(name));

export const text = (name: string): string => readFileSync(at(name), "latin1");

export const names = (): string[] => readdirSync(cwd).toSorted();
