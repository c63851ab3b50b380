import { createRequire } from "node:module";
import { handleAuth } from "@/lib/platform/auth/sign-in/handle-auth";
import type { Claims } from "./openid-provider";

const ours = "http://localhost:3000";

/** Cookies by name; enough for two servers whose cookies have different names. */
type Jar = Map<string, string>;

function keep(jar: Jar, answer: Response): void {
  for (const cookie of answer.headers.getSetCookie()) {
    const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(cookie) ?? [];
    if (/; *(max-age=0|expires=thu, 01 jan 1970)/i.test(cookie)) jar.delete(name);
    else jar.set(name, decodeURIComponent(value));
  }
}

const sent = (jar: Jar) => [...jar].map((pair) => pair.join("=")).join("; ");

/** What next-auth asks for the request's cookies and headers; a test file's mock does not reach a package. */
const ofFramework = createRequire(import.meta.url)("next/headers") as Record<string, unknown>;

/**
 * A browser without pages: it goes from Gancho's routes to the provider, and back with the answer. The test file mocks
 * `next/headers` with its `headers`.
 */
export class Browser {
  readonly cookies: Jar = new Map();
  /** Of `next/headers`, for a request of this browser. */
  readonly headers = {
    cookies: async () => ({
      get: (name: string) =>
        this.cookies.has(name) ? { name, value: this.cookies.get(name) } : undefined,
      getAll: () => [...this.cookies].map(([name, value]) => ({ name, value })),
    }),
    headers: async () => new Headers(),
  };
  readonly #atProvider: Jar = new Map();
  readonly #reach: typeof fetch;

  /** `reach`: how it reaches the provider. */
  constructor(reach: typeof fetch = fetch) {
    this.#reach = reach;
  }

  /** The address to which the sign-in page, or the step-up, leads. */
  async begin(fields: Record<string, string> = {}): Promise<URL> {
    const csrf = (await (await this.#ask("GET", "csrf")).json()) as { csrfToken: string };
    const body = new URLSearchParams({ ...fields, csrfToken: csrf.csrfToken, json: "true" });
    const answer = await this.#ask("POST", "signin/oidc", body);
    return new URL(((await answer.json()) as { url: string }).url);
  }

  /** The address to which the provider sends somebody of these claims back. */
  async answer(asked: URL, claims: Claims | "cancel"): Promise<URL> {
    const prompted = await this.#follow(asked);
    // It remembers the person, and does not ask.
    if (prompted.origin === ours) return prompted;
    const form = claims === "cancel" ? { cancel: "1" } : { claims: JSON.stringify(claims) };
    const given = await this.#atProviders(prompted, new URLSearchParams(form));
    return this.#follow(given);
  }

  /** Where Gancho sends the browser that comes back with the answer. */
  async comeBack(answer: URL): Promise<string> {
    const response = await this.#ask("GET", `callback/oidc${answer.search}`);
    const to = new URL(response.headers.get("location") ?? "", ours);
    return to.pathname + to.search;
  }

  /** The address to which signing out leads. */
  async signOut(): Promise<URL> {
    const csrf = (await (await this.#ask("GET", "csrf")).json()) as { csrfToken: string };
    const body = new URLSearchParams({ csrfToken: csrf.csrfToken, json: "true" });
    const answer = await this.#ask("POST", "signout", body);
    return new URL(((await answer.json()) as { url: string }).url);
  }

  async #ask(method: string, action: string, body?: URLSearchParams): Promise<Response> {
    const headers = new Headers({ origin: ours, cookie: sent(this.cookies) });
    if (body) headers.set("content-type", "application/x-www-form-urlencoded");
    const request = new Request(`${ours}/api/auth/${action}`, { method, headers });
    const bytes = body && new TextEncoder().encode(body.toString());
    Object.assign(ofFramework, this.headers);
    const answer = await handleAuth(request, "q1", bytes);
    keep(this.cookies, answer);
    return answer;
  }

  /** Follows the provider's redirects until it asks something, or sends the browser back. */
  async #follow(to: URL): Promise<URL> {
    let at = to;
    for (;;) {
      if (at.origin === ours || at.pathname.startsWith("/interaction/")) return at;
      at = await this.#atProviders(at);
    }
  }

  async #atProviders(to: URL, form?: URLSearchParams): Promise<URL> {
    const answer = await this.#reach(to, {
      redirect: "manual",
      headers: { cookie: sent(this.#atProvider) },
      ...(form && { method: "POST", body: form }),
    });
    keep(this.#atProvider, answer);
    const location = answer.headers.get("location");
    if (location === null) throw new Error(`the provider answers ${answer.status}: ${to.href}`);
    return new URL(location, to);
  }
}
