/** As far as browsers have it: not all do, and TypeScript's types do not. */
type Window = {
  location: { origin: string };
  trustedTypes?: {
    createPolicy: (
      name: string,
      rules: { createScriptURL: (address: string) => string | null },
    ) => unknown;
  };
};

/** Named in the policy of every page (content-security-policy.ts). */
export const trustedTypesPolicy = "default";

/**
 * The page's policy lets no string become a script, or markup. The one exception is the framework's loader of the
 * build's files, which knows no named policy: so this is the default one, and allows their addresses alone. The browser
 * refuses everything else, markup included.
 */
export function restrictScripts({ trustedTypes, location }: Window): void {
  trustedTypes?.createPolicy(trustedTypesPolicy, {
    createScriptURL: (address) => (isOfTheBuild(address, location.origin) ? address : null),
  });
}

/** Judged by how the browser reads the address, not by how it is written. */
export function isOfTheBuild(address: string, origin: string): boolean {
  const url = parse(address, origin);
  return (
    url?.origin === origin &&
    url.pathname.startsWith("/_next/static/") &&
    url.pathname.endsWith(".js") &&
    !/%|\\/.test(url.pathname)
  );
}

/** Browsers that have trusted types are older than URL.parse. */
function parse(address: string, origin: string): URL | null {
  try {
    return new URL(address, origin);
  } catch {
    return null;
  }
}
