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

  test("the list is the Fetch standard's less FTP's four", () => {
    const blocked = Array.from({ length: 65536 }, (_, port) => port).filter(isBlocked);
    expect(blocked.join(" ")).toBe(
      "0 1 7 9 11 13 15 17 19 22 23 25 37 42 43 53 69 77 79 87 95 101 102 103 104 109 110 111 " +
        "113 115 117 119 123 135 137 139 143 161 179 389 427 465 512 513 514 515 526 530 531 532 " +
        "540 548 554 556 563 587 601 636 993 995 1719 1720 1723 2049 3659 4045 4190 5060 5061 " +
        "6000 6566 6665 6666 6667 6668 6669 6679 6697 10080",
    );
  });
});

function isBlocked(port: number): boolean {
  try {
    checkPort(port, []);
    return false;
  } catch {
    return true;
  }
}
