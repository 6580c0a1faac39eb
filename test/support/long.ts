/** Whether campaigns run in full (LONG=1) or as the bounded sample that `npm test` can wait for. */
export const isLong = process.env["LONG"] === "1";
