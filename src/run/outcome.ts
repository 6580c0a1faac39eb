/** What a run comes to: each result is shown, and changes the exit status. */
import type { Report } from "../documents/result.ts";
import { mergeStatuses } from "../errors.ts";
import type { Messages } from "../terminal/messages.ts";

export class Outcome {
  status = 0;
  readonly report: Report;

  constructor(messages: Messages) {
    this.report = (result) => {
      messages.result(result);
      this.status = mergeStatuses(this.status, result.exit);
    };
  }
}
