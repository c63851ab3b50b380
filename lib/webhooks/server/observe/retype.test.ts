import { webhookTypes, type WebhookType } from "@/lib/platform/payment-service/contract/terms";
import { isThorough } from "@/lib/platform/runtime/testing/thorough";
import { expect, it } from "vitest";
import { hasValue, lastsMs, windowMs } from "./look";
import type { Known, LastLook } from "./observed";
import { interpret, type Fetched } from "./record-look";
import { versionOf, type RemoteWebhook } from "./remote-state";
import { whyRetype } from "./retype";
import type { Answer } from "./said";
import type { SaveRecord } from "./save-record";

/**
 * R11 over both types: people save values, remove them and are refused, another client writes one, and the service
 * shows values and keeps them in its own way. Each step is followed by a look.
 */

type Service = { shows: "exactly" | "masked" | "hashed" | "nothing"; keeps: boolean };

type World = {
  service: Service;
  now: number;
  held: Record<WebhookType, string | null>;
  /** What the service still applies. */
  late: (Step & { by: "us" }) | null;
  known: Known;
  last: LastLook;
  saves: readonly SaveRecord[];
  steps: readonly Step[];
};

type Step =
  | {
      by: "us";
      type: WebhookType;
      value: string | null;
      answer: Answer;
      isApplied: boolean | "late";
      /** The look after it finds the type twice. */
      isUnreadable?: true;
    }
  | { by: "late" }
  | { by: "them"; type: WebhookType; value: string }
  | { by: "time"; ms: number };

const callbackUrl = "https://ours.example/hook";

function itemOf({ service, held, steps }: Unlooked, type: WebhookType): RemoteWebhook {
  const { shows } = service;
  const value = held[type];
  const step = steps.at(-1);
  const isShown = value !== null && shows !== "nothing";
  return {
    callbackUrl,
    fingerprint: isShown ? (shows === "exactly" ? value : `${shows} ${value}`) : null,
    ...(isShown && shows === "masked" && { masked: true as const }),
    authorizationConflict: false,
    events: null,
    duplicate: step?.by === "us" && step.isUnreadable === true && step.type === type,
    inferred: false,
  };
}

const nothingKnown: Known = {
  last: null,
  kept: null,
  epoch: 0,
  isFollowed: false,
  isUnanswered: false,
  isListed: false,
  hasHeld: false,
  now: 0,
  askedAt: 0,
  tookMs: 0,
};

type Unlooked = Omit<World, "last">;

function looked(world: Unlooked): World {
  const { now, saves } = world;
  const known = { ...world.known, now };
  const webhooks = { pix_in: itemOf(world, "pix_in"), pix_out: itemOf(world, "pix_out") };
  const remote = { webhooks, unrecognised: [], unclear: false };
  const fetched: Fetched = { ok: true, remote, values: {}, answeredAt: 0 };
  const findings = interpret(known, fetched, saves);
  const last = { ...findings, epoch: known.epoch + 1 };
  const followed = findings.saves
    .filter(({ types }) => types.some(({ over }) => !over))
    .map(({ justAnswered: _recorded, ...save }) => save);
  return { ...world, known: { ...known, last, epoch: last.epoch }, last, saves: followed };
}

function saveOf({ known: { last } }: World, step: Step & { by: "us" }, sentAt: number): SaveRecord {
  const { type, value, answer } = step;
  const hidden = value === null ? { hidden: "absent" as const } : {};
  return {
    id: `save at ${sentAt}`,
    partnerId: "aurora",
    environment: "sandbox",
    connectionId: "a connection",
    requestId: "test",
    actor: { id: "marina", clientAddress: "192.0.2.1" },
    state: "answered",
    createdAt: sentAt,
    askedAt: sentAt,
    sentAt,
    now: sentAt,
    problem: null,
    justAnswered: true,
    types: [
      {
        type,
        asked: { callbackUrl, fingerprint: value, ...hidden },
        before: last?.types[type].shown?.state ?? null,
        sentAt,
        answer,
      },
    ],
  };
}

function after(world: World, step: Step): World {
  const now = world.now + (step.by === "time" ? step.ms : 1_000);
  const next = { ...world, now, steps: [...world.steps, step] };
  if (step.by === "time") return looked(next);
  const written = step.by === "late" ? world.late : step;
  const isWritten = written?.by !== "us" || step.by === "late" || written.isApplied === true;
  const isKept = written?.value === null && world.service.keeps;
  const held =
    written && isWritten && !isKept ? { ...world.held, [written.type]: written.value } : world.held;
  if (step.by !== "us")
    return looked({ ...next, held, late: step.by === "late" ? null : world.late });
  return looked({
    ...next,
    held,
    late: step.isApplied === "late" ? step : world.late,
    saves: [...world.saves, saveOf(world, step, now - 500)],
  });
}

const steps = webhookTypes.flatMap((type): Step[] => [
  { by: "us", type, value: "one", answer: 200, isApplied: true },
  { by: "us", type, value: "one", answer: 200, isApplied: true, isUnreadable: true },
  { by: "us", type, value: "two", answer: 422, isApplied: true },
  { by: "us", type, value: "two", answer: 422, isApplied: "late" },
  { by: "us", type, value: null, answer: 200, isApplied: true },
  { by: "us", type, value: null, answer: 422, isApplied: false },
  { by: "them", type, value: "theirs" },
]);
const allSteps: readonly Step[] = [
  ...steps,
  { by: "late" },
  { by: "time", ms: lastsMs + 1_000 },
  { by: "time", ms: windowMs + 1_000 },
];

function* everyWorld(service: Service, length: number): Generator<World> {
  function* from(world: World): Generator<World> {
    yield world;
    if (world.steps.length === length) return;
    for (const step of allSteps) yield* from(after(world, step));
  }
  const none = { held: { pix_in: null, pix_out: null }, late: null, saves: [], steps: [] };
  yield* from(looked({ service, now: windowMs, known: nothingKnown, ...none }));
}

const services = (["exactly", "masked", "hashed", "nothing"] as const).flatMap((shows) =>
  [true, false].map((keeps) => ({ shows, keeps })),
);

/** Where nothing is shown and all is kept, or everything is shown and nothing kept, the rule has most to decide. */
function stepsAt({ shows, keeps }: Service): number {
  return isThorough && shows === (keeps ? "nothing" : "exactly") ? 4 : 3;
}

it.each(services)(
  "no value is moved that may be set, at a service that shows $shows, and where it keeps one if none is sent: $keeps",
  (service) => {
    let proofs = 0;
    for (const world of everyWorld(service, stepsAt(service)))
      for (const type of webhookTypes) {
        const isProven = isProvenWithout(world, type);
        if (isProven) proofs += 1;
        const what = () => JSON.stringify([type, world.steps]);
        if (isProven && world.held[type] !== null && !isUndecidable(world, type))
          expect.fail(what());
        if (!isProven && (isPlain(world, type) || isKnown(world, type)))
          expect.fail(`not proven: ${what()}`);
      }
    expect(proofs).toBeGreaterThan(0);
  },
);

function isProvenWithout({ last }: World, type: WebhookType): boolean {
  return !hasValue(versionOf(last.remote.webhooks[type])) && whyRetype(type, last) === null;
}

/** Another client's value, where a save here asked for none, and none was ever sent. */
function isUndecidable({ steps }: World, type: WebhookType): boolean {
  const saves = steps.filter((step) => step.by === "us");
  const isRemoved = saves.some(
    (save) => save.type === type && save.value === null && save.answer === 200,
  );
  return isRemoved && saves.every(({ value }) => value === null);
}

/** Each save was accepted, none gave this type a value, and the other one shows the value that it was given, if any. */
function isPlain({ service, held, steps }: World, type: WebhookType): boolean {
  const saves = steps.filter((step) => step.by === "us");
  const isOurs = steps.every(({ by }) => by !== "them");
  const values = saves.filter((save) => save.type !== type).map(({ value }) => value);
  const hadOther = values.some((value) => value !== null);
  const showsOther = service.shows === "exactly" || values.at(-1) !== null || service.keeps;
  return (
    isOurs &&
    saves.every(({ answer, isUnreadable }) => answer === 200 && !isUnreadable) &&
    saves.some((save) => save.type === type) &&
    held[type] === null &&
    saves.every((save) => save.type !== type || save.value === null) &&
    (!hadOther || (showsOther && service.shows !== "nothing"))
  );
}

/** The list has shown what a save gave this type, and shows for a minute that another one took it away. */
function isKnown({ service, steps }: World, type: WebhookType): boolean {
  const saves = steps.filter((step) => step.by === "us").filter((step) => step.type === type);
  return (
    service.shows === "exactly" &&
    !service.keeps &&
    steps.at(-1)?.by === "time" &&
    !steps.some((step) => step.by === "them" && step.type === type) &&
    saves.every((save) => save.answer === 200 && !save.isUnreadable) &&
    saves.some(({ value }) => value !== null) &&
    saves.at(-1)?.value === null
  );
}
