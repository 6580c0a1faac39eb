/**
 * basic-ftp's FTPContext, changed in six ways: it reads complete lines only, accepts replies of up to
 * 1 MiB, tells text from replies, makes no error of a refusal, prints nothing, and never sends a command
 * by itself.
 */
import { FTPContext } from "basic-ftp/dist/FtpContext.js";
import { FtpullError } from "../../errors.ts";
import { shorten } from "../../text/secrets.ts";
import { quoteName } from "./reply.ts";

/** The code that stands for text: a line that is no part of a reply. */
export const textCode = 0;

/** The connection is closed if a reply line is longer. */
const longestLine = 64 * 1024;

/** The connection is closed if a reply has more octets; greetings of 100 kB exist. */
const longestReply = 1024 * 1024;

/**
 * Time without an octet after which a reply may have ended that lacks the line for it; half the time that
 * a reply has, if that is less.
 */
const longestSilenceMs = 2000;

/** A line that a reply begins or ends with (RFC 959 §4.2): the code, and what follows it. */
const replyLine = /^([1-5]\d\d)([ -]|$)/;

/** A line of another protocol's server, or with a code that no reply has, or with NUL. */
const foreignLine =
  /\0|^\d{3}(?:[ -]|$)|^(?:SSH-|HTTP\/|\+OK|\* (?:OK|BYE|PREAUTH)\b|RFB |@RSYNCD)/;

/** The first line of FEAT's reply without the dash that shows that others follow. */
const featuresLine = /^211 /;

/** Assembles replies itself: FTPContext parses incomplete lines, and closes at 64 KiB. */
export class LineContext extends FTPContext {
  #unfinished = "";
  #lines: string[] = [];
  #octets = 0;
  #closing = false;
  /** Text that came before the first reply. */
  #textBefore: string | undefined;
  #hasReplied = false;
  #hasTextBehind = false;
  /** Whether a line of another code ends a reply of several lines, as the server has shown. */
  #endsByAnyCode = false;
  /** True once a line has come that may end the reply. */
  #mayHaveEnded = false;
  readonly #silenceMs: number;
  #silence: NodeJS.Timeout | undefined;

  /** `timeoutMs` is the time for a reply; 0: it has no limit. */
  constructor(timeoutMs: number) {
    // latin1 keeps octets; 0: Exchanges has the timeouts.
    super(0, "latin1");
    this.#silenceMs = Math.min(longestSilenceMs, timeoutMs / 2 || Infinity);
  }

  /** Whether text or an incomplete reply has been received behind the last reply. */
  get hasMore(): boolean {
    return this.#hasTextBehind || this.#unfinished !== "" || this.#lines.length > 0;
  }

  /** The failure of a server that has sent text, but no reply. */
  get notFtp(): FtpullError | undefined {
    return this.#textBefore === undefined ? undefined : notFtp(this.#textBefore);
  }

  protected override _onControlSocketData(chunk: string): void {
    clearTimeout(this.#silence);
    // Some servers end lines in CR CR LF.
    const lines = (this.#unfinished + chunk).replace(/(?<!\r)\r+\n/g, "\n").split("\n");
    this.#unfinished = lines.pop() ?? "";
    const foreign = lines.find((line) => line.trim() !== "" && !this.#add(line));
    if (foreign !== undefined) {
      this.closeWithError(notFtp(foreign));
    } else if (this.#unfinished.length > longestLine || this.#octets > longestReply) {
      this.closeWithError(new FtpullError("protocol", "the server sent an endless reply"));
    } else if (this.#mayHaveEnded && this.#unfinished === "") {
      this.#silence = setTimeout(() => this.#endLoosely(), this.#silenceMs);
    }
  }

  /** Adds a line, and passes on a reply that it completes; false if it belongs to another protocol. */
  #add(line: string): boolean {
    const [, code, mark] = replyLine.exec(line) ?? [];
    if (this.#endsFeatures(code, mark)) this.#handOn();
    this.#octets += line.length + 1;
    const begun = this.#lines[0];
    if (begun === undefined && code === undefined) return this.#passOver(line);
    this.#lines.push(line);
    if (code === undefined || mark === "-") return true;
    this.#mayHaveEnded = true;
    if (begun === undefined ? !featuresLine.test(line) : this.#isEnd(begun, code)) this.#handOn();
    return true;
  }

  /** Whether a line begins another reply behind one to FEAT that has, or seems to have, one line. */
  #endsFeatures(code: string | undefined, mark: string | undefined): boolean {
    if (code === undefined || !featuresLine.test(this.#lines[0] ?? "")) return false;
    return code !== "211" || (mark !== "-" && this.#lines.length === 1);
  }

  /** The code of a reply ends it; a preliminary one among others (glftpd) can't do harm. */
  #isEnd(begun: string, code: string): boolean {
    return begun.startsWith(code) || code.startsWith("1") || this.#endsByAnyCode;
  }

  #passOver(line: string): boolean {
    if (foreignLine.test(line)) return false;
    if (!this.#hasReplied) this.#textBefore ??= line;
    this.#hasTextBehind = true;
    this._passToHandler({ code: textCode, message: line });
    return true;
  }

  /** Reads what has come as wget does: a line with a code and a blank ends a reply. */
  #endLoosely(): void {
    if (featuresLine.test(this.#lines[0] ?? "")) return this.#handOn();
    this.#endsByAnyCode = true;
    for (const line of this.#takeLines()) this.#add(line);
  }

  #takeLines(): string[] {
    this.#octets = 0;
    this.#mayHaveEnded = false;
    return this.#lines.splice(0);
  }

  #handOn(): void {
    const message = this.#takeLines().join("\n");
    this.#hasReplied = true;
    this.#hasTextBehind = false;
    this.#textBefore = undefined;
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
    clearTimeout(this.#silence);
    super.closeWithError(error);
  }
}

function notFtp(text: string): FtpullError {
  const quoted = quoteName(shorten(text.trim(), 80));
  return new FtpullError("protocol", `the server does not speak FTP: it sent ${quoted}`);
}
