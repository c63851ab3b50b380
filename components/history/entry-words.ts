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
import { ofOutcome, type Kind } from "@/lib/history/model/kind";
import { withNames } from "@/lib/history/model/names";
import { isProblemCode } from "@/lib/platform/http/model/problem-code";
import { addressNotKept, erasedPerson } from "@/lib/platform/secrets/model/people";
import { CircleHelp } from "lucide-react";
import * as z from "zod/mini";
import { listOf } from "@/components/webhooks/types-list";
import { describeOutside, describeSave } from "./describe-save";
import type { Description, Translate } from "./description";
import { icons } from "./icons";

/** Any entry in words; one of an unknown kind, shape or outcome gets words that say so. */
export function describeEntry(item: HistoryItem, t: Translate): Description {
  const described = isHistoryKind(item.kind) ? describeKind(item.kind, item, t) : null;
  if (described) return described;
  const [sentence = "", ...notes] = lines(t("timeline.unreadable", { kind: item.kind }));
  return { tone: "neutral", icon: CircleHelp, sentence, notes };
}

/** The same as `historyDetail`, in a type that the compiler can follow from a kind to its detail. */
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
  // What their words say depends on each of their changes.
  if (kind === "save") return describeSave(detail as HistoryDetail["save"], item, t);
  if (kind === "changed_outside")
    return describeOutside(detail as HistoryDetail["changed_outside"], t);
  const [sentence = "", ...notes] = lines(
    t(`timeline.kinds.${kind}`, wordsOf(kind, detail, item, t)),
  );
  return {
    tone: ofOutcome(tone, item.outcome) ?? "neutral",
    icon: icons[ofOutcome(icon, item.outcome) ?? "wait"],
    sentence,
    // Where the name already says so, the address need not.
    notes: notes.filter((note) => note !== erased),
    ...drawn(detail),
  };
}

/** Kinds differ by what they carry: changes that were made, or that would be. */
function drawn(detail: HistoryDetail[HistoryKind]): Partial<Description> {
  if (!("changes" in detail)) return {};
  if (!("expiresAt" in detail)) return { changes: detail.changes };
  return { requested: detail.changes.map((change) => ({ ...change, outcome: "not_saved" })) };
}

function lines(text: string): string[] {
  return text.split("\n").filter((line) => line !== "");
}

/**
 * What a message can use: each field of the detail, `hasFIELD` whether it is there, the outcome and the types, and
 * some that take more than one field.
 */
function wordsOf(
  kind: HistoryKind,
  detail: object,
  { outcome, types, actor }: HistoryItem,
  t: Translate,
): Record<string, string | number> {
  const given = detail as Record<string, unknown>;
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
    problem: isProblemCode(problem) ? t(`problems.${problem}.title`) : null,
    device:
      typeof browser === "string" && typeof system === "string"
        ? t("account.sessions.device", { browser, system })
        : (browser ?? system),
    fingerprint: typeof fingerprint === "string" ? spacedFingerprint(fingerprint) : null,
    moved: (before ?? null) !== null && before !== given["clientIdAfter"],
    outcome,
    types: listOf(types, t),
    count: given["count"] ?? types.length,
    blockedMinutes:
      typeof blockedSeconds === "number" && blockedSeconds >= 120
        ? Math.round(blockedSeconds / 60)
        : 0,
  };
  const words: Record<string, string | number> = {};
  for (const [field, value] of Object.entries(fields)) {
    const text = isWord(value) ? value : "";
    words[field] = typeof text === "number" ? text : String(text).replaceAll("\n", " ");
    words[`has${field.charAt(0).toUpperCase()}${field.slice(1)}`] = String(
      text !== "" && text !== false,
    );
  }
  return words;
}

const roles = ["viewer", "editor", "admin", "support", "operator"] as const;

function roleIn(value: unknown, t: Translate): string {
  const role = roles.find((known) => known === value);
  return role ? t(`common.roles.${role}`) : t("timeline.noRole");
}

function isWord(value: unknown): value is string | number | boolean {
  return ["string", "number", "boolean"].includes(typeof value);
}
