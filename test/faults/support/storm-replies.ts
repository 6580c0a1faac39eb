/** Storms of replies that single commands of a conforming server get, and of virtual hosts. */
import { close, reset, transfer } from "../../support/actions.ts";
import { generatedOctets } from "../../support/generated.ts";
import { type Action, perform, type Step } from "../../support/script.ts";
import { ScriptedServer } from "../../support/scripted-server.ts";
import type { Session } from "../../support/session.ts";
import { buildTree } from "../../support/tree.ts";
import type { Random } from "./random.ts";
import { type Began, Place } from "./storm-place.ts";

const tries = ["-t", "15", "--waitretry", "0"];

/** Gives a command one of these answers, so many times in all. */
function striking(random: Random, times: number, chance: number) {
  let left = times;
  return (answers: readonly Action[], otherwise?: Step): Step =>
    (exchange) => {
      if (left === 0 || !random.chance(chance)) return otherwise?.(exchange) ?? exchange.proceed();
      left -= 1;
      return perform(random.pick(answers), exchange);
    };
}

const busy = ["450 Busy", "451 Local error in processing"];

/** Segments, texts and files of unknown size share sessions, whose restart points stay until they are used. */
export async function restartPoints(random: Random, began: Began): Promise<void> {
  const text = Buffer.from("a line of a text\n".repeat(5000 + random.below(100_000)));
  const sizes = {
    large: 3_000_000,
    unknown1: 300_000,
    unknown2: 70_000,
    small: 3000,
    big: 2_500_000,
  };
  const made = Object.entries(sizes).map(
    ([name, size], seed) =>
      [name, generatedOctets(1 + seed, 0, size + random.below(size))] as const,
  );
  const files = { ...Object.fromEntries(made), text1: text, text2: text, text3: text };
  const server = await ScriptedServer.start({ files });
  const place = began(await Place.make(server, files));
  const strike = (answers: readonly Action[]): Step =>
    striking(random, random.below(4), 0.4)(answers);
  const cut = transfer({ first: 100_000, end: "reset" });
  const asked = new Set<unknown>();
  const sizeFails = strike(busy);
  place.on("SIZE", (exchange) => {
    const isFirst = !asked.has(exchange.session);
    asked.add(exchange.session);
    if (exchange.argument.startsWith("unknown")) return exchange.session.reply("550 Not available");
    return isFirst ? exchange.proceed() : sizeFails(exchange); // the later ones go with REST
  });
  place.on("MDTM", strike(busy));
  place.on("REST", strike([...busy, restartedBy("200 OK"), restartedBy("250 OK")]));
  place.on("RETR", strike([...busy, reset, cut]));
  const names = Object.keys(files).toSorted(() => random.next() - 0.5);
  const urls = names.map((name) =>
    server.url(`/${name}${name.startsWith("text") ? ";type=a" : ""}`),
  );
  const { status } = await place.run([
    ...tries,
    "-s3",
    "-j",
    random.pick(["1", "2", "3"]),
    ...urls,
  ]);
  if (status !== 0) throw new Error("given up");
}

/** A completion in place of 350 sets the restart point, too. */
const restartedBy =
  (reply: string): Step =>
  ({ session, argument }) => {
    session.offset = Number(argument);
    return session.reply(reply);
  };

/** A server that answers sessions without HOST by another host's files of the same names, sizes and times. */
export async function virtualHosts(random: Random, began: Began): Promise<void> {
  const paths = Array.from({ length: 12 }, (_, index) => `t/${"abc"[index % 3]}/f${index}`);
  const filesOf = (seed: number): Record<string, Buffer> =>
    Object.fromEntries(
      paths.map((path, index) => [path, generatedOctets(seed, 9, 500 + index * 9000)]),
    );
  const server = await ScriptedServer.start({ files: filesOf(1) });
  const place = began(await Place.make(server, filesOf(1)));
  const [own, foreign] = [1, 2].map((seed) => buildTree({ files: filesOf(seed) }));
  const strike = striking(random, random.below(4), 0.3);
  let isSure = false;
  const serve = (session: Session, root = own): void =>
    void Object.assign(session, { context: { ...session.context, root } });
  const enter: Step = ({ session }) => {
    serve(session, own);
    return session.reply("220 Host accepted");
  };
  const isDefault: Step = (exchange) => (serve(exchange.session, foreign), exchange.proceed());
  for (const verb of ["GREETING", "REIN"]) server.on(verb, isDefault);
  server.on("HOST", enter);
  const lasting = ["500 Not understood", "504 No such host"];
  place.on("HOST", (exchange) =>
    strike([...busy, close, ["421 Later", close], ...(isSure ? lasting : [])], enter)(exchange),
  );
  place.on("RETR", (exchange) => {
    isSure = true; // the client has read that a session's HOST was accepted
    return strike([reset, "450 Busy", transfer({ first: 300, end: "reset" })])(exchange);
  });
  if (random.chance(0.5)) place.on("PWD", perform.bind(undefined, "502 Not implemented"));
  const jobs = ["-j", random.pick(["1", "2"])];
  const urls = paths.map((path) => server.url(`/${path}`));
  if (random.chance(0.5)) await place.run([...tries, ...jobs, "-r", server.url("/t/")]);
  else await place.run([...tries, ...jobs, "-x", "-nH", ...urls]);
  await place.checkLast([...jobs, "-r", server.url("/t/")]);
}
