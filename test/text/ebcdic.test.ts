import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { textConverter } from "../../src/text/line-ends.ts";
import { chunked, converted } from "./support/chunks.ts";

// The octets 00 to FF as glibc's iconv makes UTF-8 of them: iconv -f CP037 -t UTF-8
const iconv037 = `
  00010203c29c09c2867fc297c28dc28e0b0c0d0e0f10111213c29dc28508c287
  1819c292c28f1c1d1e1fc280c281c282c283c2840a171bc288c289c28ac28bc2
  8c050607c290c29116c293c294c295c29604c298c299c29ac29b1415c29e1a20
  c2a0c3a2c3a4c3a0c3a1c3a3c3a5c3a7c3b1c2a22e3c282b7c26c3a9c3aac3ab
  c3a8c3adc3aec3afc3acc39f21242a293bc2ac2d2fc382c384c380c381c383c3
  85c387c391c2a62c255f3e3fc3b8c389c38ac38bc388c38dc38ec38fc38c603a
  2340273d22c398616263646566676869c2abc2bbc3b0c3bdc3bec2b1c2b06a6b
  6c6d6e6f707172c2aac2bac3a6c2b8c386c2a4c2b57e737475767778797ac2a1
  c2bfc390c39dc39ec2ae5ec2a3c2a5c2b7c2a9c2a7c2b6c2bcc2bdc2be5b5dc2
  afc2a8c2b4c3977b414243444546474849c2adc3b4c3b6c3b2c3b3c3b57d4a4b
  4c4d4e4f505152c2b9c3bbc3bcc3b9c3bac3bf5cc3b7535455565758595ac2b2
  c394c396c392c393c39530313233343536373839c2b3c39bc39cc399c39ac29f
`;
const iconv1047 = `
  00010203c29c09c2867fc297c28dc28e0b0c0d0e0f10111213c29dc28508c287
  1819c292c28f1c1d1e1fc280c281c282c283c2840a171bc288c289c28ac28bc2
  8c050607c290c29116c293c294c295c29604c298c299c29ac29b1415c29e1a20
  c2a0c3a2c3a4c3a0c3a1c3a3c3a5c3a7c3b1c2a22e3c282b7c26c3a9c3aac3ab
  c3a8c3adc3aec3afc3acc39f21242a293b5e2d2fc382c384c380c381c383c385
  c387c391c2a62c255f3e3fc3b8c389c38ac38bc388c38dc38ec38fc38c603a23
  40273d22c398616263646566676869c2abc2bbc3b0c3bdc3bec2b1c2b06a6b6c
  6d6e6f707172c2aac2bac3a6c2b8c386c2a4c2b57e737475767778797ac2a1c2
  bfc3905bc39ec2aec2acc2a3c2a5c2b7c2a9c2a7c2b6c2bcc2bdc2bec39dc2a8
  c2af5dc2b4c3977b414243444546474849c2adc3b4c3b6c3b2c3b3c3b57d4a4b
  4c4d4e4f505152c2b9c3bbc3bcc3b9c3bac3bf5cc3b7535455565758595ac2b2
  c394c396c392c393c39530313233343536373839c2b3c39bc39cc399c39ac29f
`;

const everyOctet = Buffer.from(Array.from({ length: 256 }, (_, octet) => octet));

/** Text as iconv converts it, but for NEL, which is a line end here. */
function expectedFrom(iconv: string, lineEnd: string): string {
  const text = Buffer.from(iconv.replaceAll(/\s/g, ""), "hex").toString();
  return text.replaceAll(/[\u{85}\n]/gu, lineEnd);
}

describe.each([
  ["cp037", iconv037],
  ["cp1047", iconv1047],
] as const)("D3 EBCDIC in code page %s", (encoding, iconv) => {
  test.each(["\n", "\r\n"])("becomes what iconv makes of it, with lines that end in %j", (end) => {
    const converter = textConverter("ebcdic", end, encoding)!;
    expect(converted(converter, [everyOctet]).toString()).toBe(expectedFrom(iconv, end));
  });

  test("doesn't depend on how it is cut into chunks", () => {
    fc.assert(
      fc.property(chunked([0x15, 0x25]), (chunks) => {
        const convert = (parts: Buffer[]) =>
          converted(textConverter("ebcdic", "\n", encoding)!, parts);
        expect(convert(chunks)).toEqual(convert([Buffer.concat(chunks)]));
      }),
    );
  });
});

test("D3 a text with NEL, and one with LF, becomes lines", () => {
  const nel = Buffer.from("c8859393961540e6969993845a15", "hex");
  const text = converted(textConverter("ebcdic", "\n", "cp037")!, [nel]).toString();
  expect(text).toBe("Hello\n World!\n");
  const lf = Buffer.from([...nel].map((octet) => (octet === 0x15 ? 0x25 : octet)));
  expect(converted(textConverter("ebcdic", "\n", "cp037")!, [lf]).toString()).toBe(text);
});
