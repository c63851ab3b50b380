/**
 * The name of the session cookie. With the `__Host-` prefix the browser itself insists on Secure, the path `/` and no
 * domain; on plain http, which is for the own machine only, it would refuse such a cookie.
 */
export function sessionCookieName(secure: boolean): string {
  return secure ? "__Host-gancho.session" : "gancho.session";
}
