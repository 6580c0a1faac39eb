/** Facts that the sessions of a server have learned about it, for those that follow. */

export class ServerCapabilities {
  /** False once replies were misplaced: commands no longer share a write. */
  readonly pipelining: boolean;
  /** True for a server that is sent no HOST any more (S2). */
  readonly isHostRefused?: boolean;
  readonly epsv?: "proven" | "given up";
  readonly isEprtRefused?: boolean;
  readonly isMlsdRefused?: boolean;

  constructor(pipelining: boolean) {
    this.pipelining = pipelining;
  }

  /** The only change: facts about the server, for all its sessions from now on. */
  learn(facts: Partial<Omit<ServerCapabilities, "learn">>): void {
    Object.assign(this, facts);
  }
}
