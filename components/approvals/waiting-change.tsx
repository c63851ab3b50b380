"use client";

import { Button } from "@/components/ui/button";
import { AbsoluteTime, RelativeTime } from "@/components/ui/time";
import type { Decision } from "@/lib/webhooks/model/proposals/decision";
import { Check, Hourglass, Undo2, X } from "lucide-react";
import { useFormatter, useTranslations } from "next-intl";
import { useId, type ReactNode } from "react";

/** What is known of any change that waits. */
type Waiting = {
  by: { id: string; name: string };
  at: string;
  expiresAt: string;
  reason: string | null;
  /** null: its author may not make it any more. */
  approvers: readonly { id: string; name: string }[] | null;
};

type WaitingChangeProps = {
  /** The words for its kind. */
  words: "webhooks.proposal" | "approvals.credentials";
  change: Waiting;
  /** Something else came into effect since, so nobody can approve it. */
  outdated: boolean;
  /** The service could not confirm the version that it would overwrite. */
  old?: boolean;
  /** The viewer's id, if their role lets them decide. */
  reader: string | null;
  /** Approving is this page's main action. */
  isMain: boolean;
  /** The types it is about, for the buttons' names. */
  types?: string;
  onDecide: (decision: Decision["decision"]) => void;
  /** Somebody is about to decide. */
  onNear?: () => void;
  /** What it changes. */
  children: ReactNode;
};

/** A change that waits for a second person: who proposed it, until when, and what the viewer can do. */
export function WaitingChange(props: WaitingChangeProps) {
  const { change, outdated, reader, types = "", children } = props;
  const t = useTranslations(props.words as "webhooks.proposal");
  const titleId = useId();
  const button = (decision: Decision["decision"], icon: ReactNode, isFilled = false) => (
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
        {t(outdated ? "outdated" : "title")}
      </h2>
      <p className="text-small text-ink-2">
        {t.rich("by", {
          name: change.by.name,
          time: () => <RelativeTime at={change.at} />,
          until: () => <AbsoluteTime at={change.expiresAt} ahead />,
        })}{" "}
        {t(outdated ? "outdatedText" : "nothingSent")}
      </p>
      {change.reason === null ? null : (
        <p className="[overflow-wrap:anywhere]">{t("reason", { text: change.reason })}</p>
      )}
      {children}
      <WhoCanApprove {...props} />
      {reader === null ? null : (
        // The author withdraws it, another person rejects or approves it.
        <div onPointerEnter={props.onNear} onFocus={props.onNear} className="flex flex-wrap gap-2">
          {isSecondPerson(props) && !outdated && !props.old
            ? button("approve", <Check aria-hidden />, props.isMain)
            : null}
          {reader === change.by.id
            ? button("withdraw", <Undo2 aria-hidden />)
            : button("reject", <X aria-hidden />)}
        </div>
      )}
    </section>
  );
}

function isSecondPerson({ change: { approvers }, reader }: WaitingChangeProps): boolean {
  return approvers?.some(({ id }) => id === reader) ?? false;
}

/** Names so many; beyond that, only the number. */
const namedAtMost = 3;

/** Why the viewer cannot approve it, if so, and who can. Nobody can approve an outdated one. */
function WhoCanApprove(props: WaitingChangeProps) {
  const { change, outdated, old = false, reader } = props;
  const t = useTranslations("approvals.waitingChange");
  const own = useTranslations(props.words as "webhooks.proposal");
  const format = useFormatter();
  const { approvers, by } = change;
  const isSecond = isSecondPerson(props);
  if (outdated || (isSecond && !old)) return null;
  const sentences = [];
  if (approvers === null) sentences.push(own("authorMayNot", { name: by.name }));
  else if (isSecond) sentences.push(t("oldNote"));
  else {
    if (reader === by.id) sentences.push(own("ownNote"));
    else if (reader !== null) sentences.push(t("notSecond", { name: by.name }));
    const named = approvers.slice(0, namedAtMost).map(({ name }) => name);
    const others = approvers.length - named.length;
    if (others > 0) named.push(t("others", { count: others }));
    const names = format.list(named, { type: "disjunction" });
    sentences.push(
      named.length > 0 ? own("whoCan", { names }) : own("nobodyCan", { name: by.name }),
    );
  }
  return <p className="text-small text-pretty text-ink-2">{sentences.join(" ")}</p>;
}
