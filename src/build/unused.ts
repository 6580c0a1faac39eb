/** Replaces, in the bundle, modules for unused features. basic-ftp tests connections by `instanceof TLSSocket`. */
export class TLSSocket {}
