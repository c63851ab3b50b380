const masked = "***";

/** Longer than any word of a path, and letters and digits mixed: it may be a token. */
const likeToken = /^(?=[^/]*\d)(?=[^/]*[a-zA-Z])[^/]{20,}$/;

/**
 * A callback address fit for a ticket: masks whatever could be a key to the receiver, which are the values of the
 * query, a user and password, and parts of the path that look like tokens. Works on the raw text, since the service may
 * hold what is no address. Does not recognise a short password in the path.
 */
export function withoutSecrets(url: string): string {
  const [beforeFragment = "", ...fragment] = url.split("#");
  const [beforeQuery = "", ...query] = beforeFragment.split("?");
  const path = beforeQuery
    .replace(/^([a-z]+:\/\/)[^/@]*@/i, `$1${masked}@`)
    .split("/")
    .map((part, index) => (index > 2 && likeToken.test(part) ? part.slice(0, 4) + masked : part))
    .join("/");
  return [
    path,
    query.length > 0 ? `?${query.join("?").split("&").map(maskValue).join("&")}` : "",
    fragment.length > 0 ? `#${masked}` : "",
  ].join("");
}

/** A name without "=" may itself be the token. */
function maskValue(pair: string): string {
  const [name = "", ...value] = pair.split("=");
  return value.length > 0 ? `${name}=${masked}` : masked;
}
