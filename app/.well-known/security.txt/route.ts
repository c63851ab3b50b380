import { env } from "@/lib/platform/env/env";
import { ProblemError } from "@/lib/platform/http/model/problem";
import { read, routes } from "@/lib/platform/http/route";

/** RFC 9116 recommends less than a year, so that nobody relies on an outdated contact. */
const validForMs = 180 * 24 * 60 * 60 * 1000;

/**
 * Where to report a vulnerability in this installation. Its operator is responsible for it, so the default is to
 * publish nothing.
 */
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes("security.txt", {
  GET: read({
    access: async () => undefined,
    handle: async () => {
      const { securityContact, url } = env();
      if (securityContact === null) throw new ProblemError("not_found");
      const fields = [
        `Contact: ${securityContact}`,
        `Expires: ${new Date(Date.now() + validForMs).toISOString()}`,
        "Preferred-Languages: en, pt",
        // Section 2.5.2: a web URI must begin with https://, and Gancho on loopback is served over http.
        ...(url.protocol === "https:"
          ? [`Canonical: ${new URL("/.well-known/security.txt", url).href}`]
          : []),
      ];
      return new Response(`${fields.join("\n")}\n`, {
        headers: { "content-type": "text/plain; charset=utf-8" },
      });
    },
  }),
});
