/** Messages on a terminal in memory, with vitest's clock. */
import { vi } from "vitest";
import type { DocumentStart } from "../../src/documents/events.ts";
import { Messages, type MessagesOptions } from "../../src/terminal/messages.ts";
import { Screen } from "./screen.ts";

export const KiB = 1024;
export const MiB = 1024 ** 2;

export function openMessages(options: Partial<MessagesOptions>, columns = 80, rows = 24) {
  const screen = new Screen(columns, rows);
  const messages = new Messages({
    stream: screen,
    level: "normal",
    progress: "none",
    decode: (octets) => Buffer.from(octets, "latin1").toString(),
    now: Date.now,
    ...options,
  });
  return { screen, messages };
}

/** Begins a file of 100 MiB; lines are drawn when their library is loaded. */
export async function begin(messages: Messages, details: Partial<DocumentStart> = {}) {
  const document = { url: "ftp://h/x.iso", target: "out/x.iso", size: 100 * MiB, offset: 0 };
  const running = messages.begin({ ...document, ...details });
  await vi.dynamicImportSettled();
  return running;
}

export const saved = (seconds: number, resumed = 0) => ({
  target: undefined,
  verified: undefined,
  resumed,
  seconds,
});

/** Lets so many frames be drawn. */
export const frames = (count = 1) => vi.advanceTimersByTime(100 * count);
