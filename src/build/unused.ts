/** Replaces modules that libraries load for unused features, in the bundle. */

/** basic-ftp tests control connections by `instanceof`. */
export class TLSSocket {}
