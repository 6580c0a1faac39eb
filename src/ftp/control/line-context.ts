/**
 * basic-ftp's FTPContext, changed in five ways: it reads complete lines only, accepts replies of up
 * to 1 MiB, makes no error of a refusal, prints nothing, and never sends a command by itself.
 */
import { FTPContext } from "basic-ftp/dist/FtpContext.js";
import { FtpullError } from "../../errors.ts";
import { shorten } from "../../text/secrets.ts";
import { quoteName } from "./reply.ts";

/** The connection is closed if a reply line is longer. */
const longestLine = 64 * 1024;

/** The connection is closed if a reply has more octets; greetings of 100 kB exist. */
const longestReply = 1024 * 1024;

/** A line that a reply begins or ends with (RFC 959 §4.2): the code, and what follows it. */
const replyLine = /^([1-5]\d\d)([ -]|$)/;

/** Assembles replies itself: FTPContext parses incomplete lines, and closes at 64 KiB. */
export class LineContext extends FTPContext {
  #unfinished = "";
  #lines: string[] = [];
  #octets = 0;
  #closing = false;

  constructor() {
    // latin1 keeps octets; 0: Exchanges has the timeouts.
    super(0, "latin1");
  }

  /** Whether an incomplete reply has been received. */
  get isMidReply(): boolean {
    return this.#unfinished !== "" || this.#lines.length > 0;
  }

  protected override _onControlSocketData(chunk: string): void {
    // Some servers end lines in CR CR LF.
    const lines = (this.#unfinished + chunk).replace(/(?<!\r)\r+\n/g, "\n").split("\n");
    this.#unfinished = lines.pop() ?? "";
    const stray = lines.find((line) => line.trim() !== "" && !this.#add(line));
    if (stray !== undefined) {
      const text = `the server does not speak FTP: it sent ${quote(stray)}`;
      this.closeWithError(new FtpullError("protocol", text));
    } else if (this.#unfinished.length > longestLine || this.#octets > longestReply) {
      this.closeWithError(new FtpullError("protocol", "the server sent an endless reply"));
    }
  }

  /** Adds a line, and passes on a reply that it completes; false if it belongs to no reply. */
  #add(line: string): boolean {
    const [, code, mark] = replyLine.exec(line) ?? [];
    const begun = this.#lines[0];
    if (begun === undefined && code === undefined) return false;
    this.#lines.push(line);
    this.#octets += line.length + 1;
    const isLast = mark !== "-" && (begun === undefined || begun.startsWith(code ?? "-"));
    if (isLast) this.#handOn();
    return true;
  }

  #handOn(): void {
    const message = this.#lines.join("\n");
    this.#lines = [];
    this.#octets = 0;
    this._passToHandler({ code: Number(message.slice(0, 3)), message });
  }

  /** FTPContext prints to standard output. */
  override log(): void {}

  /**
   * Sends one command, or several with CR LF between them, which FTPContext refuses. FTPContext
   * itself sends QUIT to its first socket, which is never connected.
   */
  override send(commands: string): void {
    if (this.socket.writable && !this.socket.pending && !this.#closing)
      this.socket.write(`${commands}\r\n`, "latin1");
  }

  /** FTPContext sends QUIT, also if the server does not speak FTP or has closed the connection. */
  override closeWithError(error: Error): void {
    this.#closing = true;
    super.closeWithError(error);
  }
}

function quote(text: string): string {
  return quoteName(shorten(text.trim(), 80));
}
