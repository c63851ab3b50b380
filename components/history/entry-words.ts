import { personName } from "@/components/ui/person-name";
import { spacedFingerprint } from "@/components/webhooks/compare/use-authorization-words";
import {
  historyDetail,
  isHistoryKind,
  kinds,
  type HistoryDetail,
  type HistoryKind,
} from "@/lib/history/model/entry";
import type { HistoryItem } from "@/lib/history/model/item";
import { ofOutcome, type Kind, type Tone } from "@/lib/history/model/kind";
import { withNames } from "@/lib/history/model/names";
import { isOnlyValue } from "@/lib/history/model/only-value";
import type { WebhookChange } from "@/lib/history/model/webhook-change";
import { isProblemCode } from "@/lib/platform/http/model/problem-code";
import { addressNotKept, erasedPerson } from "@/lib/platform/secrets/model/people";
import { CircleHelp, type LucideIcon } from "lucide-react";
import type { useTranslations } from "next-intl";
import * as z from "zod/mini";
import { listOf } from "@/components/webhooks/types-list";
import * as icons from "./icons";

/** The text and icon of an entry. */
export type Description = {
  tone: Tone;
  icon: LucideIcon;
  /** What happened, as a sentence without a full stop. */
  sentence: string;
  /** Reasons and other details, one sentence each. */
  notes: readonly string[];
  /** Changes that took effect. */
  changes?: readonly WebhookChange[];
  /** Changes that did not take effect, or have not yet. */
  requested?: readonly WebhookChange[];
  /** The id of the proposal that it is about. */
  proposal?: string;
};

type Translate = ReturnType<typeof useTranslations<never>>;

/** Describes any entry; for an unknown kind, shape or outcome, the description says so. */
export function describeEntry(item: HistoryItem, t: Translate): Description {
  const described = isHistoryKind(item.kind) ? describeKind(item.kind, item, t) : null;
  if (described) return described;
  const [sentence = "", ...notes] = lines(t("timeline.unreadable", { kind: item.kind }));
  return { tone: "neutral", icon: CircleHelp, sentence, notes };
}

/** `historyDetail`, typed so that the compiler can infer the detail from the kind. */
const shapes: { [Kind in HistoryKind]: z.ZodMiniType<HistoryDetail[Kind]> } = historyDetail;

function describeKind(kind: HistoryKind, item: HistoryItem, t: Translate): Description | null {
  const { outcomes, icon, tone }: Kind = kinds[kind];
  if (outcomes && !outcomes.includes(item.outcome ?? "")) return null;
  const { data } = z.safeParse(shapes[kind], item.detail);
  if (!data) return null;
  const erased = t("common.erasedPerson");
  const instead = new Map([
    [erasedPerson, erased],
    [addressNotKept, t("common.addressNotKept")],
  ]);
  const detail = withNames(data, (text) => instead.get(text) ?? text);
  const [sentence = "", ...notes] = lines(
    t(`timeline.kinds.${kind}`, valuesFor(kind, detail, item, t)),
  );
  return {
    tone: ofOutcome(tone, item.outcome) ?? "neutral",
    icon: icons[ofOutcome(icon, item.outcome) ?? "wait"],
    sentence,
    // Drops a second "Erased person": the name already says it, so the address need not.
    notes: notes.filter((note) => note !== erased),
    ...changesIn(detail),
    ...("proposal" in detail && detail.proposal && { proposal: detail.proposal.id }),
  };
}

/** The entry's changes: those that took effect, and those that did not or have not yet. */
function changesIn(detail: HistoryDetail[HistoryKind]): Partial<Description> {
  // Proposed changes have no outcome.
  const all = ("changes" in detail ? detail.changes : []).map((change): WebhookChange => ({
    outcome: "not_sent",
    ...change,
  }));
  const changes = all.filter(isMade);
  const requested = all.filter((change) => !isMade(change) && change.outcome !== "unchanged");
  return { ...(changes.length > 0 && { changes }), ...(requested.length > 0 && { requested }) };
}

function isMade({ outcome }: WebhookChange): boolean {
  return outcome === "saved" || outcome === "partly" || outcome === "seen";
}

function lines(text: string): string[] {
  return text.split("\n").filter((line) => line !== "");
}

/**
 * The values that a message can use: each field of the detail, `hasFIELD` for whether it is set, the outcome, the
 * types, and a few derived values.
 */
function valuesFor(
  kind: HistoryKind,
  detail: object,
  { outcome, types, actor }: HistoryItem,
  t: Translate,
): Record<string, string | number> {
  const given = detail as Record<string, unknown>;
  const { changes = [] } = detail as { changes?: readonly WebhookChange[] };
  // The outcome of an entry is the least done of its types, and the sentence is about those.
  const has = (is: boolean) => changes.filter((change) => (change.outcome === outcome) === is);
  const isMixed = has(true).length > 0 && has(false).length > 0;
  const told = isMixed ? has(true) : changes;
  const about = told.length > 0 ? told.map(({ type }) => type) : types;
  const problem = given["check"] ?? given["problem"];
  const { browser, system, proposal, fingerprint, blockedSeconds } = given;
  const before = given["clientIdBefore"];
  const fields: Record<string, unknown> = {
    ...Object.fromEntries(Object.keys(historyDetail[kind].shape).map((field) => [field, null])),
    ...given,
    author: (proposal as { author: { name: string } } | undefined)?.author.name,
    actor: personName(actor?.name ?? "", t),
    roleName: roleIn(given["role"], t),
    beforeRole: roleIn(given["before"], t),
    afterRole: roleIn(given["after"], t),
    problem:
      isProblemCode(problem) && !redundant.has(problem) ? t(`problems.${problem}.title`) : null,
    device:
      typeof browser === "string" && typeof system === "string"
        ? t("account.sessions.device", { browser, system })
        : (browser ?? system),
    fingerprint: typeof fingerprint === "string" ? spacedFingerprint(fingerprint) : null,
    sameRole: "before" in given && given["before"] === given["after"],
    moved: (before ?? null) !== null && before !== given["clientIdAfter"],
    ...changeValues(told, t),
    ...askerIn(given["askedBy"], t),
    outcome,
    types: listOf(about, t),
    others: isMixed
      ? has(false)
          .map((change) => stateIn(change, t))
          .join(" ")
      : null,
    count: given["count"] ?? about.length,
    blockedMinutes:
      typeof blockedSeconds === "number" && blockedSeconds >= 120
        ? Math.round(blockedSeconds / 60)
        : 0,
  };
  const words: Record<string, string | number> = {};
  for (const [field, value] of Object.entries(fields)) {
    const text = isScalar(value) ? value : "";
    words[field] = typeof text === "number" ? text : String(text).replaceAll("\n", " ");
    words[`has${field.charAt(0).toUpperCase()}${field.slice(1)}`] = String(
      text !== "" && text !== false,
    );
  }
  return words;
}

/** Problems that would only repeat the entry's sentence. */
const redundant: ReadonlySet<string> = new Set(["not_saved", "outcome_unknown"]);

function stateIn({ type, outcome }: WebhookChange, t: Translate): string {
  const state = outcome === "seen" ? "saved" : outcome;
  return `${t(`webhooks.types.${type}`)}: ${t(`webhooks.result.types.${state}`)}.`;
}

/** For each fact, the types for which it is true; null if none. */
function changeValues(changes: readonly WebhookChange[], t: Translate): Record<string, unknown> {
  const of = (is: (change: WebhookChange) => unknown) => changes.filter(is);
  const list = (some: readonly WebhookChange[]) =>
    some.length > 0
      ? listOf(
          some.map(({ type }) => type),
          t,
        )
      : null;
  const answers = new Set(changes.flatMap(({ answered }) => answered ?? []));
  const isRefusal = [...answers].some((status) => status !== 200 && status !== 201);
  return {
    answered: [...answers].join(", "),
    refused: isRefusal,
    unseen: list(of(({ value }) => value === "not_shown")),
    otherValue: list(of(({ value }) => value === "other")),
    masked: list(of(({ after }) => after?.hidden === "masked")),
    isGone: changes.some(({ outcome, after }) => outcome === "seen" && after === null),
    onlyValue: changes.every(isOnlyValue),
  };
}

/** `asker`: of a difference, who had asked for exactly what is shown. */
function askerIn(askedBy: unknown, t: Translate): { asker: string | null } {
  const { author } = (askedBy ?? {}) as { author?: { name: string } };
  return { asker: author ? personName(author.name, t) : null };
}

const roles = ["viewer", "editor", "admin", "support", "operator"] as const;

function roleIn(value: unknown, t: Translate): string {
  const role = roles.find((known) => known === value);
  return role ? t(`common.roles.${role}`) : t("timeline.noRole");
}

function isScalar(value: unknown): value is string | number | boolean {
  return ["string", "number", "boolean"].includes(typeof value);
}
