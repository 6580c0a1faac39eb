/** All servers of the table. */
import { unpack } from "../../real/support/packages.ts";
import { programs, serverKinds } from "../../real/support/servers.ts";
import { globus } from "./globus.ts";
import { inetdSubjects } from "./inetd.ts";
import { npmSubjects } from "./npm.ts";
import { proxySubjects } from "./proxies.ts";
import { pythonSubjects } from "./python.ts";
import type { Subject } from "./subject.ts";

export const subjects: readonly Subject[] = [
  ...serverKinds.map((name) => {
    const { bundle, ...program } = programs[name];
    return { ...program, name, prepare: () => unpack(bundle), faults: {} };
  }),
  ...inetdSubjects,
  globus,
  ...pythonSubjects,
  ...npmSubjects,
  ...proxySubjects,
];
