"use client";

import { Button } from "@/components/ui/button";
import { type Elements, Sentences } from "@/components/ui/sentences";
import { AbsoluteTime, RelativeTime } from "@/components/ui/time";
import type { Decision } from "@/lib/webhooks/model/proposals/decision";
import { Check, Hourglass, Undo2, X } from "lucide-react";
import { useFormatter, useTranslations } from "next-intl";
import { useId } from "react";

/** What every kind of waiting change has in common. */
type Waiting = {
  by: { id: string; name: string };
  at: string;
  expiresAt: string;
  reason: string | null;
  /** Null if its author may no longer make this change. */
  approvers: readonly { id: string; name: string }[] | null;
};

type WaitingChangeProps = {
  /** The messages for this kind of change. */
  namespace: "webhooks.proposal" | "approvals.credentials";
  change: Waiting;
  /** Another change has taken effect since, so nobody can approve this one. */
  outdated: boolean;
  /** The payment service could not confirm the version that the change would overwrite. */
  old?: boolean;
  /** The viewer's id, if their role lets them decide. */
  decider: string | null;
  /** Approving is this page's main action. */
  isMain: boolean;
  /** The webhook types that the change covers, for the buttons' names. */
  types?: string;
  onDecide: (decision: Decision["decision"]) => void;
  /** Called when the viewer is about to decide. */
  preload?: () => void;
  /** Shows what the change does. */
  children: Elements;
};

/** A change that waits for a second person: who proposed it, until when, and what the viewer can do. */
export function WaitingChange(props: WaitingChangeProps) {
  const { change, outdated, decider, preload, types = "", children } = props;
  const t = useTranslations(props.namespace as "webhooks.proposal");
  const titleId = useId();
  const button = (decision: Decision["decision"], icon: Elements, isFilled = false) => (
    <Button
      size="sm"
      variant={isFilled ? "primary" : "secondary"}
      icon={icon}
      aria-label={t(`${decision}Of`, { types })}
      onClick={() => props.onDecide(decision)}
    >
      {t(decision)}
    </Button>
  );
  return (
    <section
      aria-labelledby={titleId}
      className="flex flex-col gap-3 rounded-card border border-warn-line bg-surface p-4 sm:p-5"
    >
      <h2 id={titleId} className="flex items-start gap-2 font-semibold text-warn">
        <Hourglass aria-hidden className="mt-1 size-4 shrink-0" />
        <span>{t(outdated ? "outdated" : "title")}</span>
      </h2>
      <p className="text-small text-ink-2">
        <Sentences
          of={[
            t.rich("by", {
              name: change.by.name,
              time: () => <RelativeTime at={change.at} />,
              until: () => <AbsoluteTime at={change.expiresAt} ahead />,
            }),
            t(outdated ? "outdatedText" : "nothingSent"),
          ]}
        />
      </p>
      {change.reason === null ? null : (
        <p className="[overflow-wrap:anywhere]">{t("reason", { text: change.reason })}</p>
      )}
      {children}
      <WhoCanApprove {...props} />
      {decider === null ? null : (
        // The author can withdraw the change; anybody else can reject or approve it.
        <div onPointerEnter={preload} onFocus={preload} className="flex flex-wrap gap-2">
          {isSecondPerson(props) && !outdated && !props.old
            ? button("approve", <Check aria-hidden />, props.isMain)
            : null}
          {decider === change.by.id
            ? button("withdraw", <Undo2 aria-hidden />)
            : button("reject", <X aria-hidden />)}
        </div>
      )}
    </section>
  );
}

function isSecondPerson({ change: { approvers }, decider }: WaitingChangeProps): boolean {
  return approvers?.some(({ id }) => id === decider) ?? false;
}

/** Approvers beyond this number are only counted, not named. */
const namedAtMost = 3;

/** Says who can approve the change and, if the viewer cannot, why. Nobody can approve an outdated one. */
function WhoCanApprove(props: WaitingChangeProps) {
  const { change, outdated, old = false, decider } = props;
  const t = useTranslations("approvals.waitingChange");
  const own = useTranslations(props.namespace as "webhooks.proposal");
  const format = useFormatter();
  const { approvers, by } = change;
  const isSecond = isSecondPerson(props);
  if (outdated || (isSecond && !old)) return null;
  const sentences = [];
  if (approvers === null) sentences.push(own("authorMayNot", { name: by.name }));
  else if (isSecond) sentences.push(t("oldNote"));
  else {
    if (decider === by.id) sentences.push(own("ownNote"));
    else if (decider !== null) sentences.push(t("notSecond", { name: by.name }));
    const named = approvers.slice(0, namedAtMost).map(({ name }) => name);
    const others = approvers.length - named.length;
    if (others > 0) named.push(t("others", { count: others }));
    const names = format.list(named, { type: "disjunction" });
    sentences.push(
      named.length > 0
        ? own("whoCan", { names, count: approvers.length })
        : own("nobodyCan", { name: by.name }),
    );
  }
  return <p className="text-small text-pretty text-ink-2">{sentences.join(" ")}</p>;
}
