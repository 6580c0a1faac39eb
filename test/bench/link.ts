/** A distant place on this machine: two network namespaces, and a long line between them. */
import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";

export interface Link {
  readonly near: readonly string[];
  /** The far end, as a file for nsenter, and its address. */
  readonly far: string;
  readonly farAddress: string;
  close(): void;
}

/** Compiles a C program that lies beside this file, and gives its path. */
export function compile(name: string, directory: string): string {
  const program = join(directory, name);
  execFileSync("cc", ["-O2", "-o", program, `test/bench/${name}.c`]);
  return program;
}

/** Needs root, a C compiler and util-linux; nothing is left of it when it is closed. */
export async function openLink(roundTripMs: number, directory: string): Promise<Link> {
  const [nearAddress, farAddress] = ["10.77.0.1", "10.77.0.2"];
  const program = compile("link", directory);
  const child = spawn(program, [nearAddress, farAddress, `${roundTripMs / 2}`]);
  const [line] = (await once(child.stdout, "data")) as [Buffer];
  const [near, far] = line
    .toString()
    .trim()
    .split(" ")
    .map((fd) => `/proc/${child.pid}/fd/${fd}`);
  return {
    near: ["nsenter", `--net=${near}`],
    far: far ?? "",
    farAddress,
    close: () => void child.kill(),
  };
}
