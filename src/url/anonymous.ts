/** The anonymous login (RFC 1635). Its password is no secret, but an address that must not exist (S5). */

export const anonymous = "anonymous";

export const anonymousPassword = "ftpull@example.com";

export function isAnonymous(user: string): boolean {
  return user.toLowerCase() === anonymous; // Servers ignore case here, too.
}
