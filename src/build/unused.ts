/** Replaces modules that libraries load for unused features, in the bundle. */

/** basic-ftp tests whether a control connection is an instance. */
export class TLSSocket {}
