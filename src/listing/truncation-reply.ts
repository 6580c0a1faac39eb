/**
 * Recognises replies that report a listing cut short, or a directory that was not read, in the words of Pure-FTPd and
 * vsftpd: no standard defines them. Quoted names and paths are ignored.
 */
const cut = /(?<!\bnot )\btruncated\b|\bfailed to open directory\b|\bunable to read\b/i;

export function saysCut(lines: readonly string[]): boolean {
  return cut.test(lines.join(" ").replaceAll(/"[^"]*"|(?<!\S)\S*\/\S*/g, "..."));
}
