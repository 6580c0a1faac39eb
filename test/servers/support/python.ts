/** Servers written in Python: Twisted's and aioftp's, each by a program of a few lines. */
import { join } from "node:path";
import { type Bundle, unpack } from "../../real/support/packages.ts";
import { account, type Command, listenAddress, type Setting } from "../../real/support/server.ts";
import type { Subject } from "./subject.ts";

const twisted: Bundle = {
  name: "twisted",
  packages: `twisted attr automat cffi-backend constantly cryptography hamcrest hyperlink idna
    incremental openssl service-identity six pyasn1 pyasn1-modules zope.interface pkg-resources`
    .split(/\s+/)
    .map((name) => `python3-${name}`),
  objects: [],
};

const aioftp: Bundle = { name: "aioftp", packages: ["python3-aioftp"], objects: [] };

export const pythonSubjects: readonly Subject[] = [
  {
    name: "Twisted",
    prepare: () => unpack(twisted),
    command: (setting) => python(setting, twistedProgram(setting)),
    faults: {
      text: { why: "cannot convert it: 550", status: 8 },
      "UTF-8": { why: "lists names as UTF-8, reads them as Latin-1", status: 8 },
      "-c": { why: "no REST: refused", status: 9 },
      "-s 4": { why: "no REST: one connection", status: 0 },
      TLS: { why: "has none" },
      IPv6: { why: "no EPSV", status: 8 },
    },
  },
  {
    name: "aioftp",
    prepare: () => unpack(aioftp),
    command: (setting) => python(setting, aioftpProgram(setting)),
    faults: {
      "trailing blank": { why: "drops it", status: 8 },
      "-c": { why: "no SIZE: refused", status: 9 },
      "-s 4": { why: "no SIZE: one connection", status: 0 },
      "--active": { why: "has none", status: 8 },
      TLS: { why: "implicit only" },
    },
  },
];

function python({ program }: Setting, lines: readonly string[]): Command {
  return {
    file: "/usr/bin/python3",
    args: ["-W", "ignore", "-c", lines.join("\n")],
    env: { PYTHONPATH: join(program, "usr/lib/python3/dist-packages") },
  };
}

function twistedProgram({ root, port, options }: Setting): string[] {
  return [
    "from twisted.cred.checkers import AllowAnonymousAccess, InMemoryUsernamePasswordDatabaseDontUse",
    "from twisted.cred.portal import Portal",
    "from twisted.internet import reactor",
    "from twisted.protocols.ftp import BaseFTPRealm, FTPFactory",
    "from twisted.python.filepath import FilePath",
    `root = ${JSON.stringify(root)}`,
    "class Realm(BaseFTPRealm):",
    "  def getHomeDirectory(self, avatarId):",
    "    return FilePath(root)",
    "checkers = [AllowAnonymousAccess(), InMemoryUsernamePasswordDatabaseDontUse(",
    `  **{${JSON.stringify(account.user)}: ${JSON.stringify(account.password)}})]`,
    "factory = FTPFactory(Portal(Realm(root), checkers))",
    `reactor.listenTCP(${port}, factory, interface=${JSON.stringify(listenAddress(options))})`,
    "reactor.run()",
  ];
}

function aioftpProgram({ root, port, options }: Setting): string[] {
  const [user, password] = [account.user, account.password].map((text) => JSON.stringify(text));
  const common = `base_path=${JSON.stringify(root)}, permissions=readable`;
  return [
    "import asyncio, aioftp",
    "readable = [aioftp.Permission('/', readable=True, writable=False)]",
    `users = [aioftp.User(${user}, ${password}, ${common}), aioftp.User(${common})]`,
    "async def main():",
    "  server = aioftp.Server(users)",
    `  await server.run(${JSON.stringify(listenAddress(options))}, ${port})`,
    "asyncio.run(main())",
  ];
}
