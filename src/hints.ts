/**
 * All hints: the line behind an error, where one thing surely helps. A hint names an option or a URL, and no whole
 * command. Those about options of other programs are in `options/hints.ts`.
 */
export const hints = {
  noHost: "--no-host connects without naming the host",
  allowPort: (port: number) => `permit it with --allow-port ${port}`,
  noProxy: "--no-proxy connects directly",
  tls: "ask for TLS with --tls, or by ftpes: in place of ftp:",
  explicitTls: "ftps: is implicit TLS; for a server that expects AUTH TLS write ftpes:",
  certificate:
    "trust its authority with --ca-certificate, its key with --pinnedpubkey, or any with --no-check-certificate",
  login:
    "give the user with --user, the password with --password-file, FTPULL_PASSWORD or --netrc-file",
  account: "give the account with --account or --netrc-file",
  replace: "replace it with -f",
  numbered: "-N fetches only what is newer, -f replaces, -nc keeps",
  byPath: "to keep both, save them by their paths, with -x (without -nH, -nd and --cut-dirs)",
  list: (url: string) => `list the directory: ${url}`,
  fromRoot: (url: string) => `"//" doesn't lead to the server's root, %2F does: ${url}`,
  noGlob: "--no-glob takes *, [ and ] literally",
  encoding:
    'in a user, a password or a name write "%" as %25, "@" as %40, "/" as %2F, "?" as %3F, "#" as %23 and ";" as %3B',
} as const;
