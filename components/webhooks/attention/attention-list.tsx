"use client";

import { cn } from "@/components/ui/cn";
import { AppearingPart } from "@/components/layout/lasting-boundary";
import { Sentences } from "@/components/ui/sentences";
import { RelativeTime } from "@/components/ui/time";
import type { AttentionItem } from "@/lib/attention/model/answer";
import { webhookTypes } from "@/lib/platform/payment-service/contract/terms";
import type { Configuration } from "@/lib/webhooks/model/configuration";
import { webhookOf } from "@/lib/webhooks/model/registered";
import { CircleCheck, Clock } from "lucide-react";
import { useTranslations } from "next-intl";
import dynamic from "next/dynamic";
import { useState } from "react";

// If its code fails to load, the cards say what they can.
const Rows = dynamic(() =>
  import("./attention-rows").then(
    (module) => module.AttentionRows,
    () => () => null,
  ),
);

type AttentionListProps = {
  /** From `useAttentionItems`. */
  items: readonly AttentionItem[];
  configuration: Configuration;
  /** The configuration cannot be confirmed now. */
  old: boolean;
  /** Whether this person may acknowledge a difference and change webhooks. */
  mayWrite: boolean;
  /** Whether this person may replace the API credentials. */
  mayConnect: boolean;
  /** Support sees no approvals. */
  isMember: boolean;
  /** When the endpoints were last checked, the older time; null: not all of them were. ISO 8601. */
  checkedAt: string | null;
  /** Somebody begins here: the path says how far that is. */
  beginning: boolean;
};

/** Whether all is well in this environment, or was when it was last read: one line; or what needs attention, the worst first. */
export function AttentionList(props: AttentionListProps) {
  const { items, old, checkedAt, beginning, ...rest } = props;
  const { configuration } = rest;
  // What the page itself has read is newer, and says so in a notice of its own.
  const rows = items.filter(({ kind }) => kind !== "failing" && kind !== "old");
  const nothingElse =
    !beginning &&
    rows.length === 0 &&
    !configuration.outside &&
    configuration.openSaves.length === 0;
  const [shown, setShown] = useState(false);
  if (!shown && rows.length > 0) setShown(true);
  return (
    <>
      {/* Once shown, it stays: it also says that a difference was acknowledged. */}
      <AppearingPart>{shown ? <Rows {...rest} items={rows} /> : null}</AppearingPart>
      {nothingElse ? (
        <AllWell
          configuration={configuration}
          checkedAt={checkedAt}
          was={old || items.length > 0}
        />
      ) : null}
    </>
  );
}

type AllWellProps = Pick<AttentionListProps, "configuration" | "checkedAt"> & {
  /** At the last reading, which says nothing of now. In the same box, so that nothing moves when that changes. */
  was: boolean;
};

function AllWell({ configuration, checkedAt, was }: AllWellProps) {
  const t = useTranslations("attention");
  const [host, other] = webhookTypes.map((type) => {
    const url = webhookOf(configuration, type)?.callbackUrl ?? "";
    return URL.canParse(url) ? new URL(url).host : url;
  });
  const named = (name: string | undefined) => () => (
    <span translate="no" className="font-medium [overflow-wrap:anywhere] text-ink">
      {name}
    </span>
  );
  return (
    <section
      aria-label={t(was ? "was" : "well")}
      className="flex items-start gap-3 rounded-card border border-line bg-surface px-4 py-3.5 shadow-card sm:px-5"
    >
      {was ? (
        <Clock aria-hidden className="mt-0.5 size-5 shrink-0 text-warn" />
      ) : (
        <CircleCheck aria-hidden className="mt-0.5 size-5 shrink-0 text-ok" />
      )}
      <div className="flex min-w-0 flex-1 flex-wrap items-baseline justify-between gap-x-6 gap-y-1">
        {/* As large as the larger of both. */}
        <div className="grid min-w-0 text-ink-2">
          {([false, true] as const).map((past) => (
            <p
              key={String(past)}
              className={cn("col-start-1 row-start-1", past !== was && "invisible")}
            >
              <Sentences
                of={[
                  <strong key="well" className="font-semibold text-ink">
                    {t(past ? "was" : "well")}
                  </strong>,
                  t.rich(`${past ? "went" : "goes"}.${host === other ? "both" : "each"}`, {
                    host: named(host),
                    other: named(other),
                  }),
                ]}
              />
            </p>
          ))}
        </div>
        {checkedAt ? (
          <p className="text-small text-ink-3">
            <Sentences of={[t.rich("checked", { time: () => <RelativeTime at={checkedAt} /> })]} />
          </p>
        ) : null}
      </div>
    </section>
  );
}
