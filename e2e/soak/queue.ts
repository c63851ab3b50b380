import { hashPassword } from "@/lib/platform/auth/passwords/password-hash";
import { randomUUID } from "node:crypto";
import { Agent, request } from "undici";
import { canary } from "@/e2e/canaries/canary";
import type { Installation } from "./installation";
import type { Sizes } from "./options";
import { spread, tally, type Report } from "./report";

/** Of each kind, without the attack and with it. A person has thirty an hour from one network. */
const signIns = 10;

/** What a person on a known device may have to wait for: the running hash, their hash, and a slow machine. */
const maxKnownMs = 3_000;

type Answer = { outcome: "in" | "refused" | "later" | "other"; ms: number; device: string | null };
type Browser = { address: string; device: string | null };

/**
 * How long signing in takes while a crowd from as many networks as it likes keeps every place in the queue for password
 * hashes: for a person on a device of theirs, and for one on a device that is new to them.
 */
export async function queue(
  installation: Installation,
  report: Report,
  { callers }: Sizes,
): Promise<void> {
  // Each caller says from where: the soak is the proxy.
  const dashboard = await installation.start({ GANCHO_TRUSTED_PROXY: "1" });
  const agent = new Agent({ connections: 2 * callers, headersTimeout: 60_000 });
  const email = `${randomUUID()}@soak.example`;
  const password = canary("password", "queue");
  await addPersonWithPassword(installation, email, password);
  const signIn = await signingInAt(dashboard.url, agent);

  let stranger = 0;
  /** A network that nothing was counted for yet. */
  const elsewhere = (): Browser => {
    stranger += 1;
    return {
      address: `100.${64 + (stranger >> 16)}.${(stranger >> 8) & 255}.${stranger & 255}`,
      device: null,
    };
  };
  const first = await signIn({ email, password }, elsewhere());
  report.check(first.outcome === "in" && first.device !== null, () => "nobody could sign in");

  const measure = async (when: string) => {
    // Strangers wait side by side: one after the other, they would take minutes.
    const strangers = Promise.all(
      Array.from({ length: signIns }, () => signIn({ email, password }, elsewhere())),
    );
    const known: Answer[] = [];
    for (let n = 0; n < signIns; n += 1)
      known.push(await signIn({ email, password }, { ...elsewhere(), device: first.device }));
    const unknown = await strangers;
    const figureOf = (answers: Answer[]) =>
      `${spread(answers.map(({ ms }) => ms))}  (${tally(answers.map(({ outcome }) => outcome))})`;
    report.figure(`known device ${when}, ms`, figureOf(known));
    report.figure(`new device and network ${when}, ms`, figureOf(unknown));
    return known;
  };

  await measure("alone");
  let attacking = true;
  const guesses: string[] = [];
  const crowd = Array.from({ length: callers }, async () => {
    while (attacking) {
      const guess = {
        email: `${randomUUID()}@nowhere.example`,
        password: "a guess, and a long one",
      };
      guesses.push((await signIn(guess, elsewhere())).outcome);
    }
  });
  const known = await measure(`in a crowd of ${callers}`);
  attacking = false;
  await Promise.all(crowd);
  report.figure("guesses of the crowd", tally(guesses));
  report.check(
    known.every(({ outcome, ms }) => outcome === "in" && ms < maxKnownMs),
    () => `a known device waited: ${JSON.stringify(known)}`,
  );
  await agent.close();
}

async function addPersonWithPassword(
  { db }: Installation,
  email: string,
  password: string,
): Promise<void> {
  await db
    .insertInto("users")
    .values({
      id: randomUUID(),
      email,
      name: "Clara",
      password_hash: await hashPassword(password),
      staff_role: null,
      disabled_at: null,
      created_at: Date.now(),
    })
    .execute();
}

/** Signing in as the sign-in page does, with one token against forgery for all. */
async function signingInAt(url: string, dispatcher: Agent) {
  const csrf = await request(`${url}/api/auth/csrf`, { dispatcher });
  const { csrfToken } = (await csrf.body.json()) as { csrfToken: string };
  const token = cookiesOf(csrf.headers["set-cookie"]).join("; ");
  return async (
    typed: { email: string; password: string },
    { address, device }: Browser,
  ): Promise<Answer> => {
    const startedAt = performance.now();
    const answer = await request(`${url}/api/auth/callback/credentials`, {
      dispatcher,
      method: "POST",
      headers: {
        "content-type": "application/x-www-form-urlencoded",
        "x-forwarded-for": address,
        cookie: device === null ? token : `${token}; ${device}`,
      },
      body: new URLSearchParams({ ...typed, csrfToken, json: "true" }).toString(),
    });
    const body = await answer.body.text();
    const ms = performance.now() - startedAt;
    const mark = cookiesOf(answer.headers["set-cookie"]).find((cookie) =>
      cookie.includes("device="),
    );
    return { outcome: outcomeOf(answer.statusCode, body), ms, device: mark ?? null };
  };
}

function outcomeOf(status: number, body: string): Answer["outcome"] {
  if (status === 200) return "in";
  if (body.includes("throttled")) return "later";
  return body.includes("CredentialsSignin") ? "refused" : "other";
}

function cookiesOf(header: string | string[] | undefined): string[] {
  return [header ?? []].flat().map((cookie) => cookie.split(";")[0] ?? "");
}
