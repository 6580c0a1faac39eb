/**
 * TYPE E (RFC 959 §3.1.1.2): EBCDIC to UTF-8. IBM's code pages of the Americas (037) and of Unix services (1047) are
 * permutations of ISO 8859-1.
 */

export type EbcdicEncoding = keyof typeof differences;

/** The ISO 8859-1 character of each octet of code page 037; a row for each high digit. */
const cp037 = Buffer.from(
  `000102039c09867f978d8e0b0c0d0e0f
   101112139d8508871819928f1c1d1e1f
   80818283840a171b88898a8b8c050607
   909116939495960498999a9b14159e1a
   20a0e2e4e0e1e3e5e7f1a22e3c282b7c
   26e9eaebe8edeeefecdf21242a293bac
   2d2fc2c4c0c1c3c5c7d1a62c255f3e3f
   f8c9cacbc8cdcecfcc603a2340273d22
   d8616263646566676869abbbf0fdfeb1
   b06a6b6c6d6e6f707172aabae6b8c6a4
   b57e737475767778797aa1bfd0dddeae
   5ea3a5b7a9a7b6bcbdbe5b5dafa8b4d7
   7b414243444546474849adf4f6f2f3f5
   7d4a4b4c4d4e4f505152b9fbfcf9faff
   5cf7535455565758595ab2d4d6d2d3d5
   30313233343536373839b3dbdcd9da9f`.replaceAll(/\s/g, ""),
  "hex",
);

/** Octets in which code page 1047 differs from 037, each with its character. */
const differences = { cp037: "", cp1047: "5f^ ad[ b0¬ baÝ bb¨ bd]" };

/** NEL; some servers send the LF of code page 037 instead. */
const lineEnds = /[\x85\n]/g;

export function ebcdicConverter(encoding: EbcdicEncoding, lineEnd: string) {
  const characters = Array.from(cp037.toString("latin1"));
  for (const [, octet = "", character = ""] of differences[encoding].matchAll(/(\w\w)(\S)/g))
    characters[parseInt(octet, 16)] = character;
  return (chunk: Buffer): Buffer => {
    const text = Array.from(chunk, (octet) => characters[octet]).join("");
    return Buffer.from(text.replace(lineEnds, lineEnd));
  };
}
