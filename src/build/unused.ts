/**
 * In the bundle this stands for those modules of Node that the libraries load and that nothing
 * here needs of them: commander's commands in programs of their own, basic-ftp's own TLS.
 */

/** basic-ftp asks of each control connection whether it is one, to keep its TLS session. */
export class TLSSocket {}
