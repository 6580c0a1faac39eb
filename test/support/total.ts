/** Standard error without the last lines of a run of several documents. */
export function withoutTotal(stderr: string): string {
  const failures = /(?:^ftpull: \d+ of \d+ documents failed:\n(?:ftpull: .*\n)*)?/m;
  return stderr.replace(new RegExp(`${failures.source}^ftpull: total: .*\n$`, "m"), "");
}
