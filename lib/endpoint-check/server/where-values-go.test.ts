import { cases } from "@/lib/platform/runtime/testing/thorough";
import type { CheckRequest } from "@/lib/endpoint-check/model/request";
import { checkEndpoint } from "@/lib/endpoint-check/testing/with-access";
import { hostList } from "@/lib/platform/egress/address";
import { findEndpoint, type Endpoint } from "@/lib/platform/egress/egress";
import { ProblemError } from "@/lib/platform/http/model/problem";
import type { ListedWebhook, PartnerApi } from "@/lib/platform/payment-service/types";
import { Secret } from "@/lib/platform/runtime/secret";
import type { SaveRequest } from "@/lib/webhooks/model/rules/save-request";
import {
  eventKinds,
  webhookTypes,
  type WebhookType,
} from "@/lib/platform/payment-service/contract/terms";
import { partnerApi } from "@/lib/webhooks/server/observe/partner-api";
import { readConfiguration, saveConfiguration } from "@/lib/webhooks/testing/with-access";
import { inWorld, partner } from "@/lib/webhooks/testing/in-world";
import * as fc from "fast-check";
import { expect, it, vi } from "vitest";

vi.mock("next/headers", () => ({ cookies: async () => new Map() }));
vi.mock(import("@/lib/platform/limits/limits"), async (original) => ({
  ...(await original()),
  enforceLimits: async () => undefined,
}));
// A save need not wait before it reads again: nothing changes here in between.
vi.mock(import("node:timers/promises"), async (original) => ({
  ...(await original()),
  setTimeout: async <T>(_ms?: number, value?: T) => value as T,
}));
// Its own tests prove that it sends where it should; here it only records its arguments.
vi.mock(import("@/lib/platform/egress/egress"), () => ({ findEndpoint: vi.fn() }));

/**
 * `CHECK_SEQUENCES=10000 npx vitest run --project unit lib/endpoint-check/server/where-values-go.test.ts` is the long
 * run.
 */
const numRuns = Number(process.env["CHECK_SEQUENCES"] ?? cases(300).numRuns);

const mask = "Bearer ****";
const urls = ["https://a.example/pix", "https://b.example/pix", "https://a.example/other"];
const registeredValues = ["Bearer one-value", "Bearer another-value", mask, null];
const typedValue = "Bearer typed-value";
const lookAlike = "Bearer looks-fine";

type Held = Record<WebhookType, { url: string; value: string | null } | null>;
type Shows = "all" | "masked" | "nothing" | "another";

const oneOf = <T>(...values: T[]) => fc.constantFrom(...values);
const isA = <Do extends string>(what: Do) => fc.constant(what);

const type = oneOf(...webhookTypes);
const url = oneOf(...urls);
const outside = fc.record({ do: isA("outside"), type, url, value: oneOf(...registeredValues) });
const typed = fc.record({ url, authorization: oneOf(typedValue) }, { requiredKeys: ["url"] });
const aCheck = fc.record({
  do: isA("check"),
  request: fc.record({ type, typed }, { requiredKeys: ["type"] }),
});
const aSave = fc.record({
  do: isA("save"),
  type: oneOf<WebhookType | "both">(...webhookTypes, "both"),
  url,
  value: oneOf("Bearer one-value", "Bearer another-value", "keep", null),
});
const shown = oneOf<Shows>("all", "all", "masked", "nothing", "another");
const step = fc.oneof(
  { weight: 3, arbitrary: aCheck },
  { weight: 1, arbitrary: aSave },
  { weight: 2, arbitrary: outside },
  { weight: 1, arbitrary: fc.record({ do: isA("show"), shows: shown }) },
);

inWorld();

it("sends a registered value to no address but the one that it is registered with (threat: a secret that strays)", async () => {
  const context = { requestId: "q-1", clientAddress: null };
  let sentRegistered = 0;

  const registered = fc.option(fc.record({ url, value: fc.constantFrom(...registeredValues) }));
  const property = fc.asyncProperty(
    fc.record({ pix_in: registered, pix_out: registered }),
    fc.array(step, { minLength: 1, maxLength: 8 }),
    // What others do to the service during a check.
    fc.array(fc.option(outside), { maxLength: 4 }),
    async (atFirst, steps, meanwhile) => {
      const held: Held = { ...atFirst };
      let shows: Shows = "all";
      let answered: Held = { ...held };
      const strays: unknown[] = [];
      let asking: CheckRequest | null = null;
      const change = (others: readonly WebhookType[], to: Held[WebhookType]) => {
        for (const one of others) held[one] = to;
      };
      const intrude = () => {
        const one = meanwhile.shift();
        if (one) change([one.type], { url: one.url, value: one.value });
      };

      vi.spyOn(partnerApi(), "list").mockImplementation(async () => {
        answered = { ...held };
        const webhooks = webhookTypes.flatMap((each): ListedWebhook[] => {
          const it = held[each];
          return it ? [listed(each, it, shows)] : [];
        });
        if (asking) intrude();
        return { ok: true, webhooks, unclear: false };
      });
      const register: PartnerApi["register"] = async (_connection, input) => {
        const value = input.authorization?.reveal() ?? null;
        change(input.type ? [input.type] : webhookTypes, { url: input.url, value });
        return { ok: true, status: 200 };
      };
      vi.spyOn(partnerApi(), "register").mockImplementation(register);
      vi.mocked(findEndpoint).mockImplementation(async (to): Promise<Endpoint> => {
        intrude();
        return {
          found: true,
          addresses: ["203.0.114.7"],
          ms: 1,
          post: async ({ authorization }) => {
            intrude();
            const value = authorization?.reveal();
            const atThatType = asking && answered[asking.type];
            const isTyped = asking?.typed?.url === to && asking.typed.authorization === value;
            const isHeld = !asking?.typed && atThatType?.url === to && atThatType.value === value;
            if (value !== undefined && !isTyped && !isHeld)
              strays.push([to, value, asking, answered]);
            if (isHeld && value !== undefined) sentRegistered += 1;
            const outcome = { status: 204, redirectHost: null, ms: 1, complete: true };
            return { tls: null, outcome: { kind: "answered", ...outcome } };
          },
        };
      });

      for (const each of steps) {
        if (each.do === "outside") change([each.type], { url: each.url, value: each.value });
        if (each.do === "show") shows = each.shows;
        // Where the list does not show what was written, a save waits until its time limit.
        const isReported = shows === "all" && !isMaskHeld(held);
        if (each.do === "save" && isReported) await saveOnce(each);
        if (each.do === "check") {
          asking = each.request;
          const rules = async () => ({ deny: hostList([]), proxy: null, loopbackPort: null });
          await orProblem(
            checkEndpoint(partner.id, partner.environment, each.request, context, rules),
          );
          asking = null;
        }
      }
      expect(strays).toEqual([]);
    },
  );

  type SaveStep = { type: WebhookType | "both"; url: string; value: string | null };
  async function saveOnce({ type, url, value }: SaveStep): Promise<void> {
    const read = await orProblem(readConfiguration(partner.id, partner.environment, context));
    if (!read) return;
    const authorization: SaveRequest["authorization"] =
      value === "keep"
        ? { action: "keep" }
        : value === null
          ? { action: "remove" }
          : { action: "replace", value };
    const request = { type, url, revision: read.revision, authorization };
    await orProblem(saveConfiguration(partner.id, partner.environment, request, context));
  }

  const one = { url: "https://a.example/pix", value: "Bearer one-value" };
  const saving = { do: "save", type: "pix_in", ...one } as const;
  const checking = { do: "check", request: { type: "pix_in" } } as const;
  await fc.assert(property, {
    numRuns,
    examples: [[{ pix_in: one, pix_out: null }, [saving, checking], []]],
  });
  // Guards against a run in which no value was ever sent.
  expect(sentRegistered).toBeGreaterThan(0);
}, 7_200_000);

const isMaskHeld = (held: Held) => webhookTypes.some((each) => held[each]?.value === mask);

/** As the service shows it; `another`: looks like a value and is not the one. */
function listed(
  each: WebhookType,
  { url: callbackUrl, value }: NonNullable<Held[WebhookType]>,
  shows: Shows,
): ListedWebhook {
  const shown = { all: value, masked: "Bearer ••••", nothing: null, another: lookAlike };
  const authorization = value === null ? null : shown[shows];
  return {
    type: each,
    callbackUrl,
    authorization: authorization === null ? null : new Secret(authorization),
    authorizationConflict: false,
    events: [...eventKinds[each]],
  };
}

/** Why a reading fails is not tested here. */
const orProblem = <Result>(promise: Promise<Result>) =>
  promise.catch((error: unknown) => {
    if (error instanceof ProblemError) return null;
    throw error;
  });
