import { processFigures } from "@/e2e/bench/process-figures";
import { Agent, Client, request, type Dispatcher } from "undici";
import { printTable } from "../figures";
import type { Grown } from "../growth";
import { environment } from "./database";

const sessions = 5_000;
const maxPartners = 1_000;
const tabs = 500;
/** As many requests are under way at once. */
const concurrency = 8;

type Held = { keptMb: number; residentMb: number };

/**
 * What a session, a partner and an open tab keep in memory: what is left after the garbage was collected, before and
 * after, divided by their number. In a new process, that has done all of it before with others.
 */
export async function measureMemory(grown: Grown): Promise<void> {
  await grown.startAgain();
  const { url, opened } = grown;
  const dispatcher = new Agent({ connections: concurrency, keepAliveTimeout: 60_000 });
  const signedIn = await grown.sessions(Math.min(maxPartners, grown.partners), sessions);
  const used = (cookie: string, by: Dispatcher) => ask(`${url}/api/partners`, cookie, by);
  const listed = (partner: string, cookie: string, by: Dispatcher) =>
    ask(`${url}/api/partners/${partner}/${environment}/webhooks`, cookie, by);
  for (let round = 0; round < 60; round += 1)
    await each(opened, async ({ partner, cookie }) => {
      await used(cookie, dispatcher);
      await listed(partner, cookie, dispatcher);
    });

  const lines = [["memory, KB for each", "kept", "resident"]];
  // What was compiled and is not used again goes with the first few collections.
  for (let i = 0; i < 4; i += 1) await grown.keptMb();
  let before = await hold(grown);
  const report = async (name: string, count: number) => {
    const after = await hold(grown);
    const kb = (field: keyof Held) => (((after[field] - before[field]) * 1_024) / count).toFixed(1);
    lines.push([`${name} (${count.toLocaleString("en")})`, kb("keptMb"), kb("residentMb")]);
    before = after;
  };
  await each(signedIn, ({ cookie }) => used(cookie, dispatcher));
  await report("session, used once", signedIn.length);
  const partners = signedIn.slice(0, Math.min(maxPartners, grown.partners));
  await each(partners, ({ partner, cookie }) => listed(partner, cookie, dispatcher));
  await report("partner, listed once", partners.length);
  const open = Array.from({ length: tabs }, () => new Client(url, { keepAliveTimeout: 70_000 }));
  // Twice, as a tab does that is open for longer than a minute.
  for (let round = 0; round < 2; round += 1)
    await each([...open.entries()], async ([at, tab]) => {
      const one = partners[at % partners.length];
      if (one) await listed(one.partner, one.cookie, tab);
    });
  await report("open tab, its connection included", tabs);
  const { keptMb, residentMb } = before;
  for (const tab of open) await tab.destroy();
  await dispatcher.destroy();
  printTable(lines);
  console.log(
    `In the end it kept ${Math.round(keptMb)} MB and had ${Math.round(residentMb)} MB resident.`,
  );
}

async function hold(grown: Grown): Promise<Held> {
  // What is written down later is, by then.
  await new Promise((resolve) => setTimeout(resolve, 5_000));
  const keptMb = await grown.keptMb();
  return { keptMb, residentMb: processFigures(grown.pid).residentMb };
}

async function each<Item>(
  items: readonly Item[],
  work: (item: Item) => Promise<void>,
): Promise<void> {
  let next = 0;
  await Promise.all(
    Array.from({ length: concurrency }, async () => {
      for (let item = items[next++]; item !== undefined; item = items[next++]) await work(item);
    }),
  );
}

async function ask(address: string, cookie: string, dispatcher: Dispatcher): Promise<void> {
  const { pathname, origin } = new URL(address);
  const headers = { cookie, origin, "x-requested-by": "gancho" };
  const answer =
    dispatcher instanceof Client
      ? await dispatcher.request({ path: pathname, method: "GET", headers })
      : await request(address, { dispatcher, headers });
  await answer.body.dump({ limit: 10_000_000 });
  if (answer.statusCode !== 200) throw new Error(`${address}: ${answer.statusCode}`);
}
