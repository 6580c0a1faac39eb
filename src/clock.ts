/** Monotonic milliseconds. Node's performance.now() does the same, but loads eleven modules. */
export function clockMs(): number {
  const [seconds, nanoseconds] = process.hrtime();
  return seconds * 1e3 + nanoseconds / 1e6;
}
