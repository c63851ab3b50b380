import { POST } from "@/app/in/[token]/route";
import { captureLimits, kept, onForMs } from "@/lib/capture/model/capture";
import { readArrivalBody, readCaptures, switchCapture } from "@/lib/capture/testing/with-access";
import { db } from "@/lib/platform/database/open";
import { env } from "@/lib/platform/env/env";
import { clientAddressHeader } from "@/lib/platform/http/model/request-context";
import { thrownProblem } from "@/lib/platform/http/testing/thrown-problem";
import { deleteExpired } from "@/lib/retention/server/housekeeping";
import {
  answering,
  as,
  history,
  inWorld,
  nextPartner,
  partner,
  replace,
  save,
  showing,
  plan,
} from "@/lib/webhooks/testing/in-world";
import { signInAs } from "@/lib/webhooks/testing/signed-in";
import type { WebhookType } from "@/lib/platform/payment-service/contract/terms";
import { sql } from "kysely";
import { describe, expect, it, onTestFinished } from "vitest";

process.env["CAPTURE"] = "https://in.example.com";
inWorld();

const context = { requestId: "test-capture", clientAddress: "192.0.2.1" };
const turn = (on: boolean, type: WebhookType = "pix_in") =>
  switchCapture(partner.id, partner.environment, { type, on }, context);
const seen = () => readCaptures(partner.id, partner.environment);
const first = async () => (await seen()).captures[0]?.arrivals[0];
const facts = async () =>
  (await seen()).facts.map(({ fact, value, times }) => [fact, value, times].join(" ").trim());

/** Switches it on, and gives the address. */
async function on(type: WebhookType = "pix_in"): Promise<string> {
  await turn(true, type);
  return (await seen()).captures.find((each) => each.type === type)?.url ?? "";
}

const paid = JSON.stringify({ event: "collection.paid", data: { id: "e2e-1", amount: 1050 } });

/** A body that is a stream needs this, which the type leaves out. */
const streamed: object = { duplex: "half" };

async function send(url: string, body: BodyInit = paid, headers: Record<string, string> = {}) {
  const request = new Request(url, {
    method: "POST",
    body,
    headers: {
      "content-type": "application/json",
      [clientAddressHeader]: "203.0.113.7",
      ...headers,
    },
    ...streamed,
  });
  const token = new URL(url).pathname.slice("/in/".length);
  const answer = await POST(request, { params: Promise.resolve({ token }) });
  return { status: answer.status, retryAfter: answer.headers.get("retry-after") };
}

const repeatedly = async (times: number, once: () => ReturnType<typeof send>) => {
  const statuses: number[] = [];
  for (let n = 0; n < times; n++) statuses.push((await once()).status);
  return statuses;
};

/** The numbers of the messages in the database that came to this partner's addresses, on or not. */
async function stored(): Promise<() => Promise<number[]>> {
  const captures = await db()
    .selectFrom("captures")
    .select("id")
    .where("partner_id", "=", partner.id)
    .execute();
  const ids = captures.map(({ id }) => id);
  return async () => {
    const rows = await db()
      .selectFrom("arrivals")
      .select("number")
      .where("capture_id", "in", ids)
      .execute();
    return rows.map(({ number }) => number);
  };
}

/** The same as if everything had come so much earlier. */
const earlier = async (ms: number) => {
  await sql`update arrivals set at = at - ${sql.lit(ms)}`.execute(db());
  await sql`update captures set expires_at = expires_at - ${sql.lit(ms)}`.execute(db());
};

describe("an address that is on", () => {
  it("answers 204, and shows what came: when, how, from where, how long, and the harmless headers", async () => {
    const url = await on();
    expect(
      await send(url, paid, {
        "x-signature": "sealed",
        "user-agent": "pix/1",
        // As the framework adds it.
        "x-forwarded-proto": "https",
      }),
    ).toMatchObject({
      status: 204,
    });
    const arrival = await first();
    const headers = arrival?.headers ?? [];
    expect(arrival).toMatchObject({
      number: 1,
      method: "POST",
      from: "203.0.113.7",
      authorization: "none",
      bytes: paid.length,
      events: ["collection.paid"],
      isCheck: false,
    });
    expect(headers).toContainEqual({ name: "user-agent", value: "pix/1" });
    expect(headers).toContainEqual({ name: "x-signature", value: null });
    expect(headers.map(({ name }) => name)).toEqual(["content-type", "user-agent", "x-signature"]);
    expect(await readArrivalBody(partner.id, partner.environment, "pix_in.1")).toEqual({
      text: paid,
      isBase64: false,
      isCut: false,
    });
  });

  it("keeps the start of a long body, says its whole length, and refuses one that is longer still", async () => {
    const url = await on();
    // The end of what is kept divides a character.
    const long = `x${"é".repeat(captureLimits.keptBytes)}`;
    expect((await send(url, long)).status).toBe(204);
    expect((await first())?.bytes).toBe(1 + 2 * captureLimits.keptBytes);
    const { text, isCut } = await readArrivalBody(partner.id, partner.environment, "pix_in.1");
    expect(isCut).toBe(true);
    expect(long.startsWith(text)).toBe(true);
    expect(text.length).toBeGreaterThan(captureLimits.keptBytes / 2 - 4);
    expect((await send(url, "x".repeat(2 * 1024 * 1024))).status).toBe(413);
    expect((await first())?.number).toBe(1);
  });

  it("keeps bytes that are no text as they are", async () => {
    const url = await on();
    await send(url, new Uint8Array([0xff, 0x00, 0x10]));
    expect(await readArrivalBody(partner.id, partner.environment, "pix_in.1")).toEqual({
      text: "/wAQ",
      isBase64: true,
      isCut: false,
    });
  });

  it("keeps nothing of a message that ends early", async () => {
    const url = await on();
    const broken = new ReadableStream({
      start(controller) {
        controller.enqueue(new TextEncoder().encode("{"));
        controller.error(new Error("reset"));
      },
    });
    expect((await send(url, broken)).status).toBe(400);
    expect((await seen()).captures[0]?.arrivals).toEqual([]);
  });

  it("takes 60 messages and 1 MB a minute, says when it takes more, and leaves other partners alone (threat: a flood)", async () => {
    const url = await on();
    const statuses = await repeatedly(captureLimits.perMinute, () => send(url));
    expect(new Set(statuses)).toEqual(new Set([204]));
    const refused = await send(url);
    expect(refused.status).toBe(429);
    expect(Number(refused.retryAfter)).toBeGreaterThan(0);
    await nextPartner();
    signInAs(await partner.person("admin"));
    const other = await on();
    const quarter = "x".repeat(captureLimits.bodyBytes);
    expect(await repeatedly(5, () => send(other, quarter))).toEqual([204, 204, 204, 204, 429]);
    expect((await send(other, "")).status).toBe(204);
  });

  it("keeps the last 20 for a day", async () => {
    const url = await on();
    await repeatedly(kept.messages + 2, () => send(url));
    const { arrivals } = (await seen()).captures[0] ?? {};
    expect(arrivals?.map(({ number }) => number)).toEqual(
      Array.from({ length: kept.messages }, (_, at) => kept.messages + 2 - at),
    );
    const inDatabase = await stored();
    expect(await inDatabase()).toHaveLength(kept.messages);
    await earlier(kept.ms);
    expect((await seen()).captures[0]?.arrivals).toEqual([]);
    await deleteExpired(db(), 90, Date.now());
    expect(await inDatabase()).toEqual([]);
    expect(await facts()).toContain("event collection.paid 22");
  });

  it("stores neither address nor message in the clear (threat: anyone who copies the database)", async () => {
    const url = await on();
    await send(url, "a secret of a payer", { authorization: "Bearer sealed too" });
    const rows = JSON.stringify([
      await db().selectFrom("captures").selectAll().execute(),
      await db().selectFrom("arrivals").selectAll().execute(),
    ]);
    expect(rows).not.toContain(new URL(url).pathname.slice(4));
    expect(rows).not.toContain("payer");
    expect(rows).not.toContain("sealed");
    expect(JSON.stringify(await seen())).not.toContain("sealed too");
  });
});

describe("the Authorization header", () => {
  it("is equal, another, or none; its value is shown nowhere", async () => {
    const url = await on();
    await send(url, paid, { authorization: "Bearer early" });
    expect((await first())?.authorization).toBe("not_known");
    await save({ url, authorization: replace("Bearer registered") });
    const sent = async (authorization: string) => {
      await send(url, paid, { authorization });
      return (await first())?.authorization;
    };
    expect(await sent("Bearer registered")).toBe("equal");
    expect(await sent("bearer registered")).toBe("other");
    expect(await sent("Bearer registered2")).toBe("other");
    await send(url);
    expect((await first())?.authorization).toBe("none");
    expect(JSON.stringify(await seen())).not.toContain("Bearer registered");
  });

  it("is compared with what was sent where the service shows no value", async () => {
    const url = await on();
    await save({ url, authorization: replace("Bearer registered") });
    plan(showing([{ type: "pix_in", callback_url: url, auth_header: "****", events: [] }]));
    await send(url, paid, { authorization: "Bearer registered" });
    expect((await first())?.authorization).toBe("equal");
  });

  it("is compared no more after 20 other values within an hour (threat: guessing the value)", async () => {
    const url = await on();
    await save({ url, authorization: replace("Bearer registered") });
    for (let n = 0; n < 20; n++) await send(url, paid, { authorization: `Bearer ${n}` });
    await send(url, paid, { authorization: "Bearer registered" });
    expect((await first())?.authorization).toBe("not_compared");
  });
});

describe("what the service does", () => {
  it("is counted from what came: after a save, again, from where, and which kinds", async () => {
    const url = await on();
    await save({ url });
    await send(url);
    await send(url);
    await send(url, JSON.stringify({ kind: "collection.paid", n: 2 }), {
      [clientAddressHeader]: "203.0.113.8",
    });
    expect(await facts()).toEqual([
      "after_save  1",
      "event collection.paid 3",
      "from 203.0.113.7 2",
      "from 203.0.113.8 1",
      "repeated  1",
    ]);
    const [afterSave] = (await seen()).facts;
    expect(afterSave?.leastMs).toBe(afterSave?.mostMs);
    await save({ url, authorization: replace("Bearer other") });
    await send(url);
    expect(await facts()).toContain("after_save  2");
    plan(answering(400));
    expect(await save({ url, authorization: replace("Bearer refused") })).toMatchObject({
      results: [{ outcome: "refused" }],
    });
    await send(url);
    expect(await facts(), "of a save that was refused").toContain("after_save  2");
  });

  it("says nothing of Gancho's own checks, which are marked", async () => {
    const url = await on();
    const check = { event: "endpoint-check", partner: partner.id, note: "Not a payment." };
    await send(url, JSON.stringify(check));
    expect(await first()).toMatchObject({ isCheck: true });
    expect(await facts()).toEqual([]);
  });

  it("counts at most 20 addresses (threat: filling the database from many)", async () => {
    const url = await on();
    for (let n = 0; n < 25; n++) await send(url, paid, { [clientAddressHeader]: `203.0.113.${n}` });
    const from = (await facts()).filter((fact) => fact.startsWith("from"));
    expect(from).toHaveLength(20);
  });
});

describe("an address that is not on", () => {
  const isGone = async (url: string) => expect((await send(url)).status).toBe(404);

  it("answers 404: before, once it is off, and after seven days; each time on, it is another", async () => {
    await isGone("https://in.example.com/in/made-up");
    const url = await on();
    await send(url);
    const inDatabase = await stored();
    expect(await inDatabase()).toEqual([1]);
    await turn(false);
    await isGone(url);
    expect((await seen()).captures).toEqual([]);
    expect(await inDatabase()).toEqual([]);
    const next = await on();
    expect(next).not.toBe(url);
    await isGone(url);
    expect((await send(next)).status).toBe(204);
    await earlier(onForMs);
    await isGone(next);
    expect((await seen()).captures).toEqual([]);
    expect(await on()).not.toBe(next);
  });

  it("is none in production, whatever was switched on before (threat: real payments)", async () => {
    const url = await on();
    Object.assign(env(), { productionEnvironments: new Set([partner.environment]) });
    onTestFinished(() => void Object.assign(env(), { productionEnvironments: new Set() }));
    await isGone(url);
    expect((await seen()).captures).toEqual([]);
    expect(await thrownProblem(turn(true, "pix_out"))).toMatchObject({ code: "capture_off" });
    const { origin, pathname } = new URL(url);
    // The proxy in front leads these paths here, whatever the host.
    for (const address of [url, `${origin}.${pathname}`, `${env().url.origin}${pathname}`])
      expect(await save({ url: address })).toMatchObject({
        outcome: "dashboard_address",
        applied: "no",
      });
    expect(await partner.registered()).toEqual([]);
  });

  it("is none where the installation offers it no more, nor at a suspended partner", async () => {
    const url = await on();
    const { captureAt } = env();
    Object.assign(env(), { captureAt: null });
    onTestFinished(() => void Object.assign(env(), { captureAt }));
    await isGone(url);
    expect(await thrownProblem(turn(true, "pix_out"))).toMatchObject({ code: "capture_off" });
    Object.assign(env(), { captureAt });
    expect((await send(url)).status).toBe(204);
    await db()
      .updateTable("partners")
      .set({ suspended_at: 1 })
      .where("id", "=", partner.id)
      .execute();
    await isGone(url);
  });

  it("is gone with what came once it is over and cleared away; what the service does stays", async () => {
    const url = await on();
    await send(url);
    const inDatabase = await stored();
    await earlier(onForMs);
    await deleteExpired(db(), 90, Date.now());
    expect(await inDatabase()).toEqual([]);
    expect(await facts()).toContain("event collection.paid 1");
    await deleteExpired(db(), 90, Date.now() + 91 * 86_400_000);
    expect(await facts()).toEqual([]);
  });
});

describe("who switches it", () => {
  it("is an admin; the history says so each time, and nothing of what came", async () => {
    const [admin, viewer] = [await partner.person("admin"), await partner.person("viewer")];
    signInAs(admin);
    const url = await on();
    await turn(true);
    await send(url);
    await turn(false);
    await turn(false);
    const entries = await history("capture_switched");
    expect(entries.map(({ outcome }) => outcome)).toEqual(["on", "off"]);
    expect(JSON.stringify(entries)).not.toContain(new URL(url).pathname);
    for (const role of ["viewer", "editor"] as const) {
      const person = await partner.person(role);
      await expect(as(person, () => turn(true))).rejects.toMatchObject({ code: "forbidden" });
    }
    await as(admin, () => turn(true));
    expect((await as(viewer, seen)).captures).toHaveLength(1);
  });
});
