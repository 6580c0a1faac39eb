/**
 * What becomes of a document when a step of its session goes wrong, for each step and fault.
 * A cell says: exit status, control connections, and the file: `whole`, kept as `part`, or
 * `none`. A dot stands for what can't happen, or is another cell's case, such as one of another table where it is the
 * same. Two tries are allowed.
 *
 * Statuses: 4 where the network failed, 6 the login, 8 where the server said
 * no; garbage is a line without a code, and no reply. Harmless refusals (HOST, FEAT, SIZE, EPSV) and whatever happens
 * after the end of the transfer are passed over. What is tried again needs two connections, and
 * a third where what the first has left turns out to be of no use.
 */

/** Each fault comes every time, and each command waits for the reply to the one before. */
export const lastingFaults = `
              refuse    reset     FIN       stall     garbage   421       5yz       truncated
connect       4 2 none  .         .         4 2 none  .         .         .         .
greeting      .         4 2 none  4 2 none  4 2 none  4 2 none  8 2 none  8 1 none  4 2 none
HOST          .         4 2 none  4 2 none  4 2 none  4 2 none  8 2 none  0 1 whole 4 2 none
USER          .         4 2 none  4 2 none  4 2 none  4 2 none  8 2 none  6 1 none  4 2 none
PASS          .         4 2 none  4 2 none  4 2 none  4 2 none  8 2 none  6 1 none  4 2 none
ACCT          .         4 2 none  4 2 none  4 2 none  4 2 none  8 2 none  6 1 none  4 2 none
FEAT          .         4 2 none  4 2 none  4 2 none  4 2 none  8 2 none  0 1 whole 4 2 none
CWD           .         4 2 none  4 2 none  4 2 none  4 2 none  8 2 none  8 1 none  4 2 none
TYPE          .         4 2 none  4 2 none  4 2 none  4 2 none  8 2 none  8 1 none  4 2 none
SIZE          .         4 2 none  4 2 none  4 2 none  4 2 none  8 2 none  0 1 whole 4 2 none
MDTM          .         4 2 none  4 2 none  4 2 none  4 2 none  8 2 none  0 1 whole 4 2 none
EPSV          .         0 2 whole 0 2 whole 0 2 whole 0 2 whole 0 2 whole 0 1 whole 0 2 whole
PASV          .         4 2 none  4 2 none  4 2 none  4 2 none  8 2 none  8 1 none  4 2 none
data connect  8 1 none  4 2 none  9 1 none  4 2 none  .         8 2 none  8 1 none  .
RETR          .         4 2 none  4 2 none  4 2 none  4 2 none  8 2 none  8 1 none  4 2 none
data          .         4 2 part  9 1 part  4 2 part  9 1 none  8 2 part  8 1 part  4 2 part
226           .         0 1 whole 0 1 whole 0 1 whole 0 1 whole 0 2 whole 0 1 whole 0 1 whole
QUIT          .         0 1 whole 0 1 whole 0 1 whole 0 1 whole 0 1 whole 0 1 whole 0 1 whole
`;

/**
 * The same where commands travel together, for the steps that they travel in: a connection that
 * breaks or falls silent is made again at once, with a command at a time, which costs no try,
 * but not at PASS: a wrong password must not be sent twice in one try. Nothing travels behind MDTM.
 */
export const faultsInBatches = `
              refuse    reset     FIN       stall     garbage   421       5yz       truncated
HOST          .         4 3 none  4 3 none  4 3 none  4 3 none  .         .         4 3 none
USER          .         4 3 none  4 3 none  4 3 none  4 3 none  .         .         4 3 none
PASS          .         4 2 none  4 2 none  4 2 none  .         .         .         .
FEAT          .         4 3 none  4 3 none  4 3 none  4 3 none  .         .         4 3 none
CWD           .         4 3 none  4 3 none  4 3 none  8 1 none  .         .         4 3 none
TYPE          .         4 3 none  4 3 none  4 3 none  8 1 none  .         .         4 3 none
SIZE          .         4 3 none  4 3 none  4 3 none  4 3 none  .         .         4 3 none
MDTM          .         4 3 none  4 3 none  4 3 none  4 3 none  .         .         4 3 none
`;

/**
 * Each fault comes once, in the first session: what may pass is overcome. Where the server
 * has said how a transfer ended, the next try uses the same connection.
 */
export const passingFaults = `
              refuse    reset     FIN       stall     garbage   421       5yz       truncated
greeting      .         0 2 whole 0 2 whole 0 2 whole 0 2 whole 0 2 whole .         0 2 whole
HOST          .         0 2 whole 0 2 whole 0 2 whole 0 2 whole 0 2 whole .         0 2 whole
PASS          .         0 2 whole 0 2 whole 0 2 whole 0 2 whole 0 2 whole .         0 2 whole
CWD           .         0 2 whole 0 2 whole 0 2 whole 8 1 none  0 2 whole .         0 2 whole
TYPE          .         0 2 whole 0 2 whole 0 2 whole 8 1 none  0 2 whole .         0 2 whole
SIZE          .         0 2 whole 0 2 whole 0 2 whole 0 2 whole 0 2 whole .         0 2 whole
EPSV          .         0 2 whole 0 2 whole 0 2 whole .         .         .         .
data connect  0 1 whole 0 2 whole 0 1 whole 0 2 whole .         0 2 whole 8 1 none  .
RETR          .         0 2 whole 0 2 whole 0 2 whole 0 2 whole 0 2 whole .         0 2 whole
data          .         0 2 whole 0 1 whole 0 2 whole 0 1 whole 0 2 whole 0 1 whole 0 2 whole
226           .         0 1 whole 0 1 whole 0 1 whole 0 1 whole 0 2 whole 0 1 whole 0 1 whole
`;

/** What is expected of one fault at one step. */
export interface Cell {
  readonly step: string;
  readonly fault: string;
  readonly outcome: string;
}

/** The cells of a table, without the dots. */
export function cellsOf(table: string): Cell[] {
  const [head = "", ...lines] = table.trim().split("\n");
  const faults = head.trim().split(/\s+/);
  const cells = lines.flatMap((line) => {
    const outcomes = line.slice(14).match(/\.|\d+ \d+ \w+/g) ?? [];
    const step = line.slice(0, 14).trim();
    return faults.map((fault, index) => ({ step, fault, outcome: outcomes[index] ?? "?" }));
  });
  return cells.filter(({ outcome }) => outcome !== ".");
}
