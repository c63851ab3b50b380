"use client";

import { AttentionRow } from "@/components/attention/attention-row";
import { useEnvironmentName } from "@/components/layout/nav/environment-name";
import { ButtonLink } from "@/components/ui/button-link";
import { Sentences } from "@/components/ui/sentences";
import { RelativeTime } from "@/components/ui/time";
import type { Health } from "@/lib/installation/model/health";
import { toFixIn, type ToFix } from "@/lib/installation/model/to-fix";
import { BellRing, CircleCheck, Clock, KeyRound, TriangleAlert, UserX } from "lucide-react";
import { useTranslations } from "next-intl";

/** What an operator has to look after, the worst first; or one line, where that is nothing. */
export function ToFixList({ health }: { health: Health }) {
  const t = useTranslations("installation.toFix");
  const items = toFixIn(health);
  return (
    <section
      aria-label={t(items.length > 0 ? "title" : "well")}
      className="rounded-card border border-line bg-surface shadow-card"
    >
      {items.length > 0 ? (
        <ul className="divide-y divide-line">
          {items.map((item, at) => (
            <li key={`${item.kind} ${at}`}>
              <ToFixRow item={item} />
            </li>
          ))}
        </ul>
      ) : (
        <div className="flex items-start gap-3 px-4 py-3.5 sm:px-5">
          <CircleCheck aria-hidden className="mt-0.5 size-5 shrink-0 text-ok" />
          <p className="min-w-0 text-ink-2">
            <Sentences
              of={[
                <strong key="well" className="font-semibold text-ink">
                  {t("well")}
                </strong>,
                t("wellText"),
              ]}
            />
          </p>
        </div>
      )}
    </section>
  );
}

function ToFixRow({ item }: { item: ToFix }) {
  const t = useTranslations("installation.toFix");
  const nameOf = useEnvironmentName();
  switch (item.kind) {
    case "keys":
      return (
        <AttentionRow
          icon={KeyRound}
          tone="bad"
          title={t("keys", { count: item.ids.length, ids: item.ids.join(", ") })}
          text={t("keysText")}
        />
      );
    case "unread":
      return (
        <AttentionRow
          icon={Clock}
          tone={item.readAt === null ? "info" : "warn"}
          title={t(item.readAt === null ? "neverRead" : "unread", {
            environment: nameOf(item.environment),
          })}
          text={item.readAt === null ? null : <Timed words="lastConfirmed" at={item.readAt} />}
        />
      );
    case "failing":
      return (
        <AttentionRow
          icon={TriangleAlert}
          tone="bad"
          title={t("failing", { count: item.count, environment: nameOf(item.environment) })}
          actions={
            <ShowPartners href={`/partners?environment=${item.environment}&status=failing`} />
          }
        />
      );
    case "no_second_person":
      return (
        <AttentionRow
          icon={UserX}
          tone="warn"
          title={t("noSecondPerson", { count: item.count })}
          actions={<ShowPartners href="/partners?status=no_second_person" />}
        />
      );
    case "alerts":
      return (
        <AttentionRow
          icon={BellRing}
          tone="warn"
          title={t("alerts", { count: item.count })}
          text={<Timed words="alertsText" at={item.since} />}
        />
      );
  }
}

function Timed({ words, at }: { words: "alertsText" | "lastConfirmed"; at: string }) {
  const t = useTranslations("installation.toFix");
  return <Sentences of={[t.rich(words, { time: () => <RelativeTime at={at} /> })]} />;
}

function ShowPartners({ href }: { href: string }) {
  const t = useTranslations("installation.toFix");
  return <ButtonLink href={href}>{t("show")}</ButtonLink>;
}
