import { GET as takeAnswer } from "@/app/api/auth/callback/oidc/route";
import { POST as askProvider } from "@/app/api/auth/signin/oidc/route";
import { POST as signOut } from "@/app/api/auth/signout/route";
import type { ProviderRequest } from "@/lib/platform/auth/model/sign-in-requests";
import type { Claims } from "./openid-provider";

const ours = "http://localhost:3000";

type Route = typeof signOut;

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

  /** The address to which the sign-in page, or the step-up, leads. Throws the code of a problem. */
  async begin(request: ProviderRequest = {}): Promise<URL> {
    return this.#leads(askProvider, "signin/oidc", request);
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
    const response = await this.#ask(takeAnswer, `callback/oidc${answer.search}`);
    const to = new URL(response.headers.get("location") ?? "", ours);
    return to.pathname + to.search;
  }

  /** The address to which signing out leads. */
  async signOut(): Promise<URL> {
    return this.#leads(signOut, "signout", {});
  }

  async #leads(route: Route, action: string, body: object): Promise<URL> {
    const answer = await this.#ask(route, action, body);
    const said = (await answer.json()) as { url: string; code?: string };
    if (!answer.ok) throw new Error(said.code);
    return new URL(said.url);
  }

  async #ask(route: Route, action: string, body?: object): Promise<Response> {
    const headers = new Headers({ cookie: sent(this.cookies) });
    const page = { origin: ours, "x-requested-by": "gancho", "content-type": "application/json" };
    for (const [name, value] of Object.entries(body ? page : {})) headers.set(name, value);
    const answer = await route(
      new Request(`${ours}/api/auth/${action}`, {
        headers,
        ...(body && { method: "POST", body: JSON.stringify(body) }),
      }),
      { params: Promise.resolve({}) },
    );
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
