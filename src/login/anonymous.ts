/** The anonymous login (RFC 1635). As in ftp(1), its password is no secret. */

export const anonymous = "anonymous";

/** RFC 1635 asks for an address; it has to be an invalid one (Y 3.2.2). */
export const anonymousPassword = "ftpull@example.com";

export function isAnonymous(user: string): boolean {
  return user.toLowerCase() === anonymous; // Servers ignore case here, too.
}
