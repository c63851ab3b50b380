import type { HistoryDetail } from "@/lib/history/model/entry";
import { isOnlyValue } from "@/lib/history/model/only-value";
import type { WebhookChange } from "@/lib/history/model/webhook-change";
import { isProblemCode } from "@/lib/platform/http/model/problem-code";
import { saveOutcomes } from "@/lib/history/model/outcomes";
import {
  Check,
  CircleHelp,
  Equal,
  Hourglass,
  TimerOff,
  TriangleAlert,
  Undo2,
  X,
} from "lucide-react";
import { listOf } from "@/components/webhooks/types-list";
import { personName } from "@/components/ui/person-name";
import type { Description, ShownEntry, Translate } from "./description";

type Proposal = { author: { name: string } };
type Save = Pick<HistoryDetail["save"], "changes" | "problem" | "earlier"> & {
  proposal?: Proposal | undefined;
};

/** How a save ended; null for an unknown outcome. */
export function describeSave(
  { changes, problem, proposal, earlier }: Save,
  { outcome, actor }: ShownEntry,
  t: Translate,
): Description | null {
  const types = typesIn(changes, t);
  const reasons =
    isProblemCode(problem) && !saysNoMore.has(problem) ? [t(`problems.${problem}.title`)] : [];
  const known = saveOutcomes.find((each) => each === earlier);
  const saidBefore = known
    ? [t("history.entry.earlier", { said: t(`history.outcomes.${known}`) })]
    : [];
  const unseen = changes.filter(({ authorization }) => authorization === "not_shown");
  const hidden = [
    ...(unseen.some(({ otherValue }) => !otherValue)
      ? [t("history.entry.acceptedUnseenNote")]
      : []),
    ...(changes.some(({ otherValue }) => otherValue) ? [t("history.entry.otherValueNote")] : []),
  ];
  const refused = changes.filter((change) => change.refused);
  // However it ended, but for a save that changed nothing.
  const always = [
    ...(refused.length > 0 ? [t("history.entry.refusedNote", { types: typesIn(refused, t) })] : []),
    ...approvedBy(proposal, actor, t),
    ...saidBefore,
  ];
  const notes = [...hidden, ...reasons, ...always];
  // "Did not show it yet" would be wrong of a confirmed address.
  const isShown = unseen.length > 0 && changes.every((c) => unseen.includes(c) || isInEffect(c));
  const why = notes.length > 0 ? { notes } : {};
  switch (outcome) {
    case "saved":
      return {
        tone: "ok",
        icon: Check,
        sentence: tookEffect(changes, t),
        readBack: true,
        ...(always.length > 0 && { notes: always }),
        changes,
      };
    case "unchanged":
      return {
        tone: "neutral",
        icon: Equal,
        sentence: t("history.entry.unchanged", { types }),
        ...(saidBefore.length > 0 && { notes: saidBefore }),
      };
    case "partial":
      return {
        tone: "warn",
        icon: TriangleAlert,
        sentence: t("history.entry.partial", { types }),
        ...why,
        changes: changes.filter(isInEffect),
        requested: changes.filter((change) => !isInEffect(change)),
      };
    case "not_saved":
      return {
        tone: "bad",
        icon: X,
        sentence: t("history.entry.not_saved", { types }),
        ...why,
        requested: changes,
      };
    case "unknown":
      return {
        tone: "warn",
        icon: CircleHelp,
        sentence: t("history.entry.unknown", { types }),
        ...why,
        requested: changes,
      };
    case "accepted":
      return {
        tone: "warn",
        icon: Hourglass,
        sentence: t("history.entry.accepted", { types }),
        notes: [...hidden, ...(isShown ? [] : [t("history.entry.acceptedNote")]), ...always],
        requested: changes,
      };
    case "overtaken":
      return {
        tone: "warn",
        icon: Undo2,
        sentence: t("history.entry.overtaken", { types }),
        ...(always.length > 0 && { notes: always }),
        requested: changes,
      };
    case "not_applied":
      return {
        tone: "bad",
        icon: TimerOff,
        sentence: t("history.entry.not_applied", { types }),
        notes: [t("history.entry.not_appliedNote"), ...always],
        requested: changes,
      };
    default:
      return null;
  }
}

/** A note that names both people, where the entry applies somebody else's proposal. */
function approvedBy(
  proposal: Proposal | undefined,
  actor: ShownEntry["actor"],
  t: Translate,
): string[] {
  if (!proposal) return [];
  const author = personName(proposal.author.name, t);
  const approver = personName(actor?.name ?? "", t);
  return [t("history.entry.approvedBy", { author, approver })];
}

/** What the sentence already says. */
const saysNoMore: ReadonlySet<string> = new Set(["not_saved", "partly_saved", "outcome_unknown"]);

function isInEffect({ outcome }: WebhookChange): boolean {
  return outcome === "created" || outcome === "overwritten";
}

export function describeOutside(
  { changes, gathered, isLast }: HistoryDetail["changed_outside"],
  t: Translate,
): Description {
  const about = { types: typesIn(changes, t), count: changes.length };
  const hidden = changes.filter(({ after }) => after?.hidden === "masked");
  const onlyValues = changes.every(isOnlyValue);
  return {
    tone: "warn",
    icon: TriangleAlert,
    sentence: t(onlyValues ? "history.entry.otherValue" : "history.entry.outside", about),
    byNobodyKnown: onlyValues,
    notes: [
      ...(onlyValues ? [t("history.entry.otherValueShown")] : []),
      ...(gathered ? [t("history.entry.outsideGathered", { count: gathered.count })] : []),
      ...(isLast ? [t("history.entry.outsideLast")] : []),
      ...(hidden.length > 0
        ? [t("history.entry.valueNotShown", { types: typesIn(hidden, t) })]
        : []),
    ],
    changes,
  };
}

function tookEffect(changes: readonly WebhookChange[], t: Translate): string {
  const of = (outcome: WebhookChange["outcome"]) =>
    changes.filter((change) => change.outcome === outcome);
  const [created, overwritten] = [of("created"), of("overwritten")];
  if (created.length > 0 && overwritten.length > 0)
    return t("history.entry.createdAndOverwritten", {
      created: typesIn(created, t),
      overwritten: typesIn(overwritten, t),
    });
  return created.length > 0
    ? t("history.entry.created", { types: typesIn(created, t), count: created.length })
    : t("history.entry.overwritten", {
        types: typesIn(overwritten, t),
        count: overwritten.length,
      });
}

function typesIn(changes: readonly WebhookChange[], t: Translate): string {
  return listOf(
    changes.map(({ type }) => type),
    t,
  );
}
