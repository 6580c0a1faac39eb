/** True if campaigns run in full (LONG=1), not as the short sample of `npm test`. */
export const isLong = process.env["LONG"] === "1";
