/** The record of commands and replies of the scripted server: tests compare it, and a failure prints it. */

export class Journal {
  readonly commands: string[] = [];
  dataConnections = 0;
  roundTrips = 0;
  readonly errors: unknown[] = [];
  readonly #lines: string[] = [];
  #dataSent = false;

  command(connection: number, line: string): void {
    this.commands.push(line);
    this.#write("C", connection, line);
  }

  reply(connection: number, octets: Buffer): void {
    const text = octets.toString("latin1").replace(/\r\n$/, "");
    for (const line of text.split("\r\n")) this.#write("S", connection, line);
  }

  event(connection: number, text: string): void {
    this.#write("-", connection, text);
  }

  waitedForClient(): void {
    if (!this.#dataSent) this.roundTrips += 1;
  }

  dataSent(): void {
    this.#dataSent = true;
  }

  transcript(): string {
    return this.#lines.join("\n");
  }

  #write(side: string, connection: number, text: string): void {
    const shown = text.replaceAll(/[^ -~]/g, (char) => `\\x${hex(char)}`);
    this.#lines.push(`${side}${connection > 1 ? connection : ""}> ${shown}`);
  }
}

function hex(char: string): string {
  return char.charCodeAt(0).toString(16).padStart(2, "0");
}
