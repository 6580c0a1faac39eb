/** The anonymous login (RFC 1635). As in ftp(1), its password is no secret: an address that must not exist (S5). */

export const anonymous = "anonymous";

export const anonymousPassword = "ftpull@example.com";

export function isAnonymous(user: string): boolean {
  return user.toLowerCase() === anonymous; // Servers ignore case here, too.
}
