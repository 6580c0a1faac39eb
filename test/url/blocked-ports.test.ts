import { describe, expect, test } from "vitest";
import { checkPort } from "../../src/url/blocked-ports.ts";
import { usageError } from "./usage-error.ts";

describe("X1 ports of other protocols", () => {
  test("one is refused, unless it is allowed", () => {
    const port = 25;
    const error = usageError(() => checkPort(port, [1]));
    expect(error.message).toBe(`port ${port} belongs to another protocol`);
    expect(error.hint).toBe(`permit it with --allow-port ${port}`);
    expect(() => checkPort(port, [1, port])).not.toThrow();
  });
});
