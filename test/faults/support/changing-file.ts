/** A server with one file, which changes. */
import { Gate, transferFrom } from "../../support/actions.ts";
import type { Action, Step } from "../../support/script.ts";
import type { ScriptedServer } from "../../support/scripted-server.ts";
import { startServer } from "../../support/start-server.ts";
import type { TransferScript } from "../../support/transfer.ts";

/** The file d/x: `octets` holds it now, and its time is that of the last change. */
export class ChangingFile {
  octets: Buffer;
  changes = 0;
  /** Opened when a client has been told another time than the first. */
  readonly noticed = new Gate();

  constructor(octets: Buffer) {
    this.octets = octets;
  }

  change(octets: Buffer): void {
    this.octets = octets;
    this.changes++;
  }

  /** Sends what the file holds then, otherwise as `script` says. */
  send(script?: TransferScript): Step {
    return (exchange) => transferFrom(this.octets, script)(exchange);
  }

  serve(on: Record<string, Action>): Promise<ScriptedServer> {
    return startServer({
      files: { "d/x": this.octets },
      on: {
        SIZE: ({ session }) => session.reply(`213 ${this.octets.length}`),
        MDTM: [({ session }) => session.reply(`213 ${this.#time}`), () => this.#notice()],
        RETR: this.send(),
        ...on,
      },
    });
  }

  get #time(): string {
    const date = new Date(Date.UTC(2026, 0, 1) + this.changes * 1000);
    return date.toISOString().replace(/[-:T]|\..*/g, "");
  }

  #notice(): void {
    if (this.changes > 0) this.noticed.open();
  }
}
