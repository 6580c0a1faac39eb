/** Facts that the sessions of a server have learned about it, for those that follow. */

/** Changed by `learn` alone. */
export interface ServerCapabilities {
  /** True for a server that is sent no HOST any more (S2). */
  readonly isHostRefused?: boolean;
  readonly pipelining: boolean;
  readonly epsv?: "proven" | "given up";
  readonly isEprtRefused?: boolean;
  readonly isMlsdRefused?: boolean;
}

/** Notes a fact about a server, for all sessions from now on. */
export function learn(
  { capabilities }: { readonly capabilities: ServerCapabilities },
  facts: Partial<ServerCapabilities>,
): void {
  Object.assign(capabilities, facts);
}
