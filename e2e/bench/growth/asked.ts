import { Agent, request } from "undici";
import type { Grown } from "../growth";
import { environment, password } from "./database";
import { madeUpPartner } from "./made-up-partner";

/** Sends one request and resolves when its answer is read; throws for any answer but the expected one. */
export type Ask = (turn: number) => Promise<void>;

/** What is asked of one installation, by the name under which it is printed. */
export async function askedOf(grown: Grown): Promise<{
  asks: Record<string, Ask>;
  end: () => Promise<void>;
}> {
  const { url, opened, sought, support, operator, signingIn, partners, metrics } = grown;
  const dispatcher = new Agent({ connections: 1, keepAliveTimeout: 60_000 });
  async function get(address: string, cookie: string): Promise<string> {
    const answer = await request(new URL(address, url), {
      dispatcher,
      headers: { cookie, origin: url, "x-requested-by": "gancho" },
    });
    const text = await answer.body.text();
    if (answer.statusCode !== 200) throw new Error(`${address}: ${answer.statusCode} ${text}`);
    return text;
  }
  const by =
    (cookie: string, address: string): Ask =>
    async () =>
      void (await get(address, cookie));
  const ofPartner =
    (address: (partner: string) => string): Ask =>
    async (turn) => {
      const one = opened[turn % opened.length];
      if (one) await get(address(one.partner), one.cookie);
    };
  const search = (query: Record<string, string>) =>
    by(support, `/api/partners?${new URLSearchParams(query)}`);
  const searchFor =
    (what: "name" | "partner" | "host"): Ask =>
    async (turn) => {
      const one = sought[turn % sought.length];
      if (!one) return;
      const text = await get(
        `/api/partners?${new URLSearchParams({ search: one[what] })}`,
        support,
      );
      if (!text.includes(`"${one.partner}"`)) throw new Error(`${one[what]} is not found`);
    };
  const ids = Array.from({ length: partners }, (_, i) => madeUpPartner(i + 1).id).sort();
  // The last page has 25 partners, where there are so many.
  const behind = ids.at(-26) ?? "0-0";
  const someone = `bench-admin-${Math.ceil(partners / 2)}`;
  return {
    asks: {
      "list call": ofPartner((id) => `/api/partners/${id}/${environment}/webhooks`),
      "Webhooks page": ofPartner((id) => `/partners/${id}/${environment}/webhooks`),
      "a partner's history": ofPartner((id) => `/partners/${id}/${environment}/history`),
      "sign-in by password": signingInAt(url, signingIn, dispatcher),
      "one's own account": ofPartner(() => "/account"),
      Overview: by(support, "/overview"),
      Installation: by(operator, "/installation"),
      "its history": by(operator, "/installation/activity"),
      "its history, of one person": by(operator, `/installation/activity?actor=${someone}`),
      metrics: by("", metrics),
      "Partners page": by(support, "/partners"),
      "partners: first page": search({}),
      "partners: page behind half of all": search({
        cursor: ids[Math.floor(partners / 2)] ?? "0-0",
      }),
      "partners: last page": search({ cursor: behind }),
      "partners: by name": searchFor("name"),
      "partners: by ID": searchFor("partner"),
      "partners: by host": searchFor("host"),
      "partners: a word of one in twenty": search({ search: "loja" }),
      "partners: one letter": search({ search: "l" }),
      "partners: a word of nearly all": search({ search: "com" }),
      "partners: nobody": search({ search: "nobody-is-called-this" }),
      "partners: two frequent words that never meet": search({ search: "loja mercado" }),
      "partners: failing": search({ status: "failing" }),
      "partners: failing, a frequent word": search({ status: "failing", search: "com" }),
      "partners: a member's email": search({ search: `${someone}@bench.example` }),
      "partners: a client id": search({ search: `x${opened[0]?.partner}` }),
      "partners: a callback's path": search({ search: "/nowhere" }),
      "partners: sorted by name": search({ sort: "name" }),
      "partners: sorted by age": search({ sort: "age" }),
    },
    end: () => dispatcher.destroy(),
  };
}

function signingInAt(url: string, people: readonly string[], dispatcher: Agent): Ask {
  return async (turn) => {
    const email = people[turn % people.length] ?? "";
    const answer = await request(`${url}/api/sign-in/password`, {
      dispatcher,
      method: "POST",
      headers: { "content-type": "application/json", origin: url, "x-requested-by": "gancho" },
      body: JSON.stringify({ email, password }),
    });
    const text = await answer.body.text();
    if (answer.statusCode !== 200) throw new Error(`${email} does not get in: ${text}`);
  };
}
