import type { Engine } from "@/e2e/soak/installation";
import { cookieOf } from "@/e2e/soak/partner";
import type { Db } from "@/lib/platform/database/open";
import { sql } from "kysely";
import { Agent } from "undici";
import { cpuSeconds, printTable, share } from "./figures";
import { onFilled, startFilled, type Place } from "./filled";
import { ask, inPage } from "./server";
import { adminOf, emailOf, environment, madeUp, password } from "./fill";

type Growth = {
  /** How many partners each installation has. */
  partners: readonly number[];
  engine: Engine;
};

/** Sends one request and resolves when its answer is read; throws for any answer but the expected one. */
type Ask = (turn: number) => Promise<void>;

/** A dashboard of the production build on a database of its own, and what is asked of it, by name. */
type Grown = {
  partners: number;
  pid: number;
  asks: Record<string, Ask>;
  stop: () => Promise<void>;
};

/** How many partners are opened, in turn. */
const maxOpened = 12;
/** Of each kind, to each installation. */
const requests = 60;
/** Blocks of requests to each installation, in turn: Linux counts CPU time in hundredths of a second. */
const blocks = 5;

/**
 * Measures what the same request costs with few partners and with many. The installations run side by side in front of
 * one service, and one client asks them in turn, so that a busy machine is busy for all.
 */
export async function measureGrowth({ partners, engine }: Growth): Promise<void> {
  await onFilled(engine, async (place) => {
    const grown: Grown[] = [];
    try {
      for (const count of partners) grown.push(await grow(count, place));
      await measureCosts(grown);
    } finally {
      for (const one of grown) await one.stop();
    }
  });
}

async function grow(partners: number, place: Place): Promise<Grown> {
  const { db, signingIn, ...started } = await startFilled(partners, place, { WATCH_EVERY: "0" });
  const asks = await askedOf(db, { partners, signingIn, ...started });
  return { partners, asks, ...started };
}

type Asked = { partners: number; url: string; metrics: string; signingIn: readonly string[] };

async function askedOf(
  db: Db,
  { partners, url, metrics, signingIn }: Asked,
): Promise<Record<string, Ask>> {
  const dispatcher = new Agent({ connections: 1, keepAliveTimeout: 60_000 });
  const send = (address: string, cookie: string, body?: object) =>
    ask(dispatcher, new URL(address, url), inPage(cookie, url), body);
  const support = await cookieOf(db, "bench-support");
  const operator = await cookieOf(db, "bench-operator");
  const spread = Math.max(1, Math.floor(partners / maxOpened));
  const opened = await Promise.all(
    Array.from({ length: Math.min(partners, maxOpened) }, async (_, at) => {
      const partner = madeUp(1 + at * spread);
      return { ...partner, cookie: await cookieOf(db, adminOf(partner.n)) };
    }),
  );
  const ofTurn = (turn: number) => opened[turn % opened.length] ?? { ...madeUp(1), cookie: "" };
  /** Partners not opened before, if there are any: opened ones have the host of the bench's service by now. */
  const soughtAt = (turn: number) =>
    spread > 1 ? madeUp(ofTurn(turn).n + 1) : { ...madeUp(1), host: "hooks.example" };
  const by =
    (cookie: string, address: string): Ask =>
    async () =>
      void (await send(address, cookie));
  const ofPartner =
    (address: (id: string) => string): Ask =>
    async (turn) => {
      const { id, cookie } = ofTurn(turn);
      await send(address(id), cookie);
    };
  const list = (query: Record<string, string>) =>
    by(support, `/api/partners?${new URLSearchParams(query)}`);
  const searchFor =
    (what: "name" | "id" | "host"): Ask =>
    async (turn) => {
      const one = soughtAt(turn);
      const query = new URLSearchParams({ search: one[what] });
      const text = await send(`/api/partners?${query}`, support);
      if (!text.includes(`"${one.id}"`)) throw new Error(`${one[what]} is not found`);
    };
  const someone = adminOf(Math.ceil(partners / 2));
  let well: Promise<void> | undefined;
  const after = (n: number) => list({ cursor: madeUp(Math.max(1, n)).id });
  return {
    "list call": ofPartner((id) => `/api/partners/${id}/${environment}/webhooks`),
    "Webhooks page": ofPartner((id) => `/partners/${id}/${environment}/webhooks`),
    "a partner's history": ofPartner((id) => `/partners/${id}/${environment}/history`),
    "sign-in by password": async (turn) => {
      const email = signingIn[turn % signingIn.length];
      await send("/api/sign-in/password", "", { email, password });
    },
    "one's own account": ofPartner(() => "/account"),
    Overview: by(support, "/overview"),
    Installation: by(operator, "/installation"),
    "its history": by(operator, "/installation/activity"),
    "its history, of one person": by(operator, `/installation/activity?actor=${someone}`),
    metrics: by("", metrics),
    "Partners page": by(support, "/partners"),
    "partners: first page": list({}),
    "partners: page behind half of all": after(Math.floor(partners / 2)),
    "partners: last page": after(partners - 25),
    "partners: by name": searchFor("name"),
    "partners: by ID": searchFor("id"),
    "partners: by host": searchFor("host"),
    "partners: a word of one in twenty": list({ search: "loja" }),
    "partners: a word of nearly all": list({ search: "com" }),
    "partners: nobody": list({ search: "nobody-is-called-this" }),
    "partners: two frequent words that never meet": list({ search: "loja mercado" }),
    "partners: failing": list({ status: "failing" }),
    "partners: a member's email": list({ search: emailOf(someone) }),
    "partners: a callback's path": list({ search: "/nowhere" }),
    "partners: sorted by name": list({ sort: "name" }),
    "partners: sorted by age": list({ sort: "age" }),
    "partners: sorted by state": list({ sort: "status" }),
    "partners: one's own, sorted by state": async (turn) => {
      await send("/api/partners?sort=status", ofTurn(turn).cookie);
    },
    "partners: a word of one in twenty, by state": list({ search: "loja", sort: "status" }),
    "partners: a word of one in twenty, by age": list({ search: "loja", sort: "age" }),
    // The last: nothing is amiss afterwards.
    "partners: sorted by state where all is well": async () => {
      await (well ??= makeWell(db));
      await send("/api/partners?sort=status", support);
    },
  };
}

async function makeWell(db: Db): Promise<void> {
  await sql`update partner_overviews set fault_code = null, failing_since = null,
    without_authorization = '', pix_out_host = pix_in_host`.execute(db);
}

async function measureCosts(grown: readonly Grown[]): Promise<void> {
  const names = Object.keys(grown[0]?.asks ?? {});
  const sizes = grown.map(({ partners }) => String(partners));
  const lines = [["median / 95th percentile / processor, ms", ...sizes]];
  for (const name of names) {
    const costs = grown.map(({ asks, pid }) => {
      const ask = asks[name] ?? (() => Promise.resolve());
      return { ask, pid, times: [] as number[], cpuMs: 0 };
    });
    // Warm-up: hot code gets compiled, and each partner is read.
    for (const { ask } of costs) for (let i = 0; i < maxOpened; i += 1) await ask(i);
    for (let block = 0; block < blocks; block += 1)
      for (const cost of costs) {
        const before = cpuSeconds(cost.pid);
        for (let i = 0; i < requests / blocks; i += 1) {
          const began = performance.now();
          await cost.ask(block + i * blocks);
          cost.times.push(performance.now() - began);
        }
        cost.cpuMs += ((cpuSeconds(cost.pid) - before) * 1_000) / requests;
      }
    const cells = costs.map(({ times, cpuMs }) => [share(times, 0.5), share(times, 0.95), cpuMs]);
    lines.push([name, ...cells.map((figures) => figures.map((ms) => ms.toFixed(1)).join(" / "))]);
  }
  printTable(lines);
}
