/**
 * What was learned of a server and holds for its next control connection too.
 */
export interface Habits {
  /** Commands may be sent before the replies to earlier ones; off once that broke a connection. */
  pipelining: boolean;
  /** EPSV is worth asking; off once it was refused, or its port couldn't be reached. */
  extendedPassive: boolean;
  /** The same of EPRT, in active mode. */
  extendedActive: boolean;
}
