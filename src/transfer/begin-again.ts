/**
 * Thrown where a transfer can't build on what is here and has to begin again, which is no
 * failure: it costs no try.
 */
import { FtpullError } from "../errors.ts";

export class BeginAgain extends FtpullError {
  /** `because` says what was found out; it becomes the message where beginning again is impossible. */
  constructor(because: string) {
    super("integrity", because);
    this.name = "BeginAgain";
  }
}
