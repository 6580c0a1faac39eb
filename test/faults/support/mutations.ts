/** How a reply, or a listing, can come out wrong. */
import type { Random } from "./random.ts";

type Mutation = (reply: string, random: Random) => string[];

const codes =
  "000 110 120 150 200 211 213 220 221 226 227 229 230 250 257 331 332 350 421 425 426 450 451 452 500 501 502 503 504 522 530 532 550 553 554 600 999";

const nasty = [
  "\0",
  "\x1b[2J",
  "\x1b]0;t\x07",
  "\r",
  "\n",
  "\xff\xf4",
  "\xe2\x80\xae",
  "%s%n",
  "../../x",
  "\x9b1m",
  "   ",
  "(|||0|)",
  "-1",
  "99999999999999999999",
  "(1,2,3)",
];

const inPlace: readonly Mutation[] = [
  (reply, random) => [random.pick(codes.split(" ")) + reply.slice(3)],
  (_reply, random) => [`${random.pick(codes.split(" "))} ${octets(random, 40)}\r\n`],
  (reply, random) => [reply.replaceAll(/(?<=^.{4,})\d/gm, () => String(random.below(10)))],
  (reply, random) => [insert(reply, random.pick(nasty), 4 + random.below(reply.length - 5))],
  (reply) => [reply.replaceAll("\r\n", "\n")],
  (reply) => [reply.replaceAll("\r\n", "\r\r\n")],
  (reply) => [`${reply.slice(0, 3)}-first\r\n middle\r\n${reply}`],
  (reply, random) => [`${reply.slice(0, 4)}${"x".repeat(random.below(100_000))}\r\n`],
  (reply, random) => ["120 wait\r\n".repeat(random.below(5)), reply],
  (reply, random) => cutAnywhere(reply, random),
];

const outOfPlace: readonly Mutation[] = [
  (reply) => [reply, reply],
  (reply, random) => [reply, `${random.pick(codes.split(" "))} unasked\r\n`],
  (reply, random) => [
    random.pick(["HTTP/1.1 400 Bad Request\r\n", "SSH-2.0-x\r\n", "\r\n\r\n"]),
    reply,
  ],
  () => [],
  (reply) => [reply.slice(0, -2)],
];

export function mutated(reply: string, random: Random): string[] {
  return random.pick(random.chance(0.25) ? outOfPlace : inPlace)(reply, random);
}

/** A listing with some of its octets changed, lines doubled, cut or endless. */
export function mutatedListing(lines: readonly string[], random: Random): Buffer {
  const changed = lines.map((line) => {
    if (random.chance(0.5)) return line;
    const at = random.below(line.length);
    const bit = random.chance(0.5) ? random.pick(nasty) : octets(random, 6);
    return line.slice(0, at) + bit + line.slice(at + random.below(4));
  });
  if (random.chance(0.1)) changed.push("x".repeat(200_000));
  return Buffer.from(changed.join(random.chance(0.8) ? "\r\n" : "\n"), "latin1");
}

function octets(random: Random, most: number): string {
  const any = random.octets(random.below(most)).toString("latin1");
  return any.replaceAll(/[\r\n]/g, "");
}

function insert(text: string, bit: string, at: number): string {
  return text.slice(0, at) + bit + text.slice(at);
}

function cutAnywhere(reply: string, random: Random): string[] {
  const at = random.below(reply.length);
  return [reply.slice(0, at), reply.slice(at)];
}
