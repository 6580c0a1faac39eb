/**
 * Replaces modules of Node in the bundle that libraries load for features not in use: commander's
 * external subcommands, basic-ftp's TLS.
 */

/** basic-ftp tests whether a control connection is an instance. */
export class TLSSocket {}
