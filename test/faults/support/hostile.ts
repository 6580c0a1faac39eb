/** What hostile servers do that no reply can express. */
import { DataConnection } from "../../support/data-connection.ts";
import type { Step } from "../../support/script.ts";

/** Sends these octets over the control connection again and again, until the client leaves. */
export function floodReplies(piece: string): Step {
  const octets = Buffer.from(piece.repeat(Math.ceil(16_384 / piece.length)), "latin1");
  return async ({ session: { control } }) => {
    while (control.tcp.writable) await control.send(octets);
  };
}

/** Sends these octets over a data connection until the client leaves, or for so many octets. */
export function floodData(piece: Buffer, octets = Infinity): Step {
  return async ({ session }) => {
    await session.reply("150 Opening data connection");
    const data = await session.openData();
    if (!(data instanceof DataConnection)) return;
    for (let sent = 0; data.isOpen && sent < octets; sent += piece.length) await data.send(piece);
    await data.end();
    await session.reply("226 Transfer complete");
  };
}
