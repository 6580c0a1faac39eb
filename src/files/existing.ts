/** What becomes of a local file that has the name already: one value, decided from the options before the first task. */
export interface Existing {
  /** When the file stays as it is: by a comparison with the server's facts, or whatever they are. */
  readonly stays: "never" | "always" | Comparison;
  /**
   * What becomes of it otherwise. "number": the new file gets another name. "replace": once the new one is whole.
   * "force": also what appears meanwhile, and nothing is resumed. "continue": it is gone on with, or the file fails.
   */
  readonly otherwise: "number" | "replace" | "force" | "continue" | "continue or replace";
  /** True where a symbolic link at the name is replaced, in place of its target. */
  readonly replacesLinks: boolean;
}

export type Comparison = "unless newer" | "unless different" | "if the same";

/** True where the server's facts are needed to decide. */
export function comparesFacts({ stays }: Existing): boolean {
  return stays !== "never" && stays !== "always";
}

/** True where files of several URLs may meet at a name, since each gets a number. */
export function numbersAll({ stays, otherwise }: Existing): boolean {
  return stays === "never" && otherwise === "number";
}
