/**
 * The scripted server with a will of its own: it answers as a good one until its dice, which
 * fall by the seed, make it change, hold back or misplace a reply, break off or spoil the data.
 */
import { transfer } from "../../support/actions.ts";
import type { Exchange, Step } from "../../support/script.ts";
import { ScriptedServer } from "../../support/scripted-server.ts";
import type { TransferScript } from "../../support/transfer.ts";
import { octets } from "../../support/tree.ts";
import { mutated, mutatedListing } from "./mutations.ts";
import type { Random } from "./random.ts";

const some = ["SIZE", "MDTM", "REST STREAM", "UTF8"];

export const size = 150_000;

export class FuzzingServer {
  readonly server: ScriptedServer;
  isGood = false;
  hasLied = false;
  readonly #random: Random;
  readonly #malice: number;

  private constructor(server: ScriptedServer, random: Random) {
    this.server = server;
    this.#random = random;
    this.#malice = random.pick([0, 0.02, 0.1, 0.3]);
    server.on("greeting", (exchange) => this.#greet(exchange));
    for (const verb of ["MLSD", "LIST", "NLST"])
      server.on(verb, (exchange) => this.#list(exchange));
    server.on("RETR", (exchange) => this.#retrieve(exchange));
  }

  static async start(random: Random): Promise<FuzzingServer> {
    const features = random.pick([false, some, [...some, "MLST type*;size*;modify*;"]] as const);
    const files = { "d/x": { size, seed: 7 }, "d/ü": "u", "d/e/z": "z" };
    const server = await ScriptedServer.start({ files, features });
    return new FuzzingServer(server, random);
  }

  async #greet(exchange: Exchange): Promise<void> {
    const { control } = exchange.session;
    const send = control.send.bind(control);
    control.send = async (reply) => {
      if (this.isGood || !this.#random.chance(this.#malice)) return send(reply);
      const command = control.commands.at(-1) ?? "";
      if (this.#random.chance(0.1)) return this.#breakOff(exchange);
      const sent = mutated(reply.toString("latin1"), this.#random);
      this.hasLied ||= command.startsWith("REST"); // it restarts, and says that it doesn't
      for (const piece of sent) await send(Buffer.from(piece, "latin1"));
    };
    await exchange.proceed();
  }

  async #breakOff({ session }: Exchange): Promise<void> {
    if (this.#random.chance(0.5)) session.control.end();
    else await session.control.reset();
  }

  #retrieve(exchange: Exchange): void | Promise<void> {
    const sound = this.isGood || this.#malice > 0 || this.#random.chance(0.3);
    if (sound) return exchange.proceed();
    // A text has no size, so nobody can tell a part of it from the whole.
    this.hasLied ||= exchange.session.type !== "I";
    return transfer(this.#fault())(exchange);
  }

  #fault(): TransferScript {
    const random = this.#random;
    const first = random.pick([0, 1, random.below(size), size - 1, size]);
    return {
      ...(random.chance(0.8) ? { first } : { extra: random.octets(random.below(9000)) }),
      ...(random.chance(0.5)
        ? {}
        : { completion: random.pick(["226 done", "426 cut", "451 error", "552 no", []]) }),
      end: random.pick(["fin", "fin", "cut", "reset", "stall"]),
      early: random.chance(0.2),
    };
  }

  #list(exchange: Exchange): void | Promise<void> {
    if (this.isGood || this.#random.chance(0.4)) return exchange.proceed();
    const content = mutatedListing(listings[exchange.verb] ?? [], this.#random);
    const step: Step = transfer({ content, end: this.#random.pick(["fin", "fin", "reset"]) });
    return step(exchange);
  }
}

const listings: Record<string, readonly string[]> = {
  MLSD: [
    "type=cdir;modify=20200102030405; .",
    "type=file;size=150000;modify=20200102030405;UNIX.mode=0644; x",
    octets("type=file;size=1;modify=20200102030405; ü"),
    "type=dir;modify=20200102030405; e",
    "type=OS.unix=slink:/a;size=1; l",
  ],
  LIST: [
    "total 12",
    "-rw-r--r--   1 ftp  ftp    150000 Jan  2  2020 x",
    "drwxr-xr-x   2 ftp  ftp      4096 Jan 02 03:04 e",
    "lrwxrwxrwx   1 ftp  ftp         1 Jan  2  2020 l -> x",
    "01-02-20  03:04AM       <DIR>          e",
    "+i8388621.48594,m825718503,r,s280,\tx",
  ],
  NLST: ["x", octets("ü"), "e", "d/l"],
};
