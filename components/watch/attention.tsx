"use client";

import { InitialsTile } from "@/components/layout/nav/initials-tile";
import { Badge } from "@/components/ui/badge";
import { Card } from "@/components/ui/card";
import { RelativeTime } from "@/components/ui/time";
import { isProblemCode } from "@/lib/platform/http/model/problem";
import type { AttentionReason, Overview } from "@/lib/watch/model/overview";
import { CircleCheck, CircleDashed, CircleX, ShieldOff, TriangleAlert } from "lucide-react";
import { useTranslations } from "next-intl";
import Link from "next/link";
import { useId, type ComponentProps, type ReactNode } from "react";

type AttentionProps = {
  lines: Overview["attention"];
  environment: string;
  reader: "support" | "operator";
  more: ReactNode;
};

const looks: Record<
  AttentionReason["kind"],
  { tone: ComponentProps<typeof Badge>["tone"]; icon: ReactNode }
> = {
  failing: { tone: "bad", icon: <CircleX aria-hidden /> },
  changed_outside: { tone: "warn", icon: <TriangleAlert aria-hidden /> },
  type_missing: { tone: "neutral", icon: <CircleDashed aria-hidden /> },
  no_authorization: { tone: "warn", icon: <ShieldOff aria-hidden /> },
};

/** What waits for somebody, the longest first; each line leads to the partner. */
export function Attention({ lines, environment, reader, more }: AttentionProps) {
  const t = useTranslations("overview.attention");
  const words = useReasonWords();
  const id = useId();
  const hrefOf = (partner: string) =>
    reader === "support"
      ? `/partners/${partner}/${environment}/webhooks`
      : `/partners?${new URLSearchParams({ search: partner, environment })}`;
  return (
    <Card id="attention" aria-labelledby={id} className="scroll-mt-16 p-4 sm:p-5">
      <h2 id={id} className="text-[0.9375rem] font-semibold">
        {t("title")}
      </h2>
      {lines.length === 0 ? (
        <p className="mt-2 flex items-center gap-2 text-ink-2">
          <CircleCheck aria-hidden className="size-4 shrink-0 text-ok" />
          {t("none")}
        </p>
      ) : (
        <ul className="mt-1 divide-y divide-line">
          {lines.map(({ partner, since, reasons }) => {
            const [first] = reasons;
            const look = first && looks[first.kind];
            return (
              <li
                key={partner.id}
                className="relative -mx-2 flex items-center gap-3 rounded-control px-2 py-2.5 hover:bg-hover"
              >
                <InitialsTile name={partner.name} kind="partner" />
                <span className="min-w-0 flex-1">
                  <Link
                    href={hrefOf(partner.id)}
                    prefetch={false}
                    className="font-medium [overflow-wrap:anywhere] after:absolute after:inset-0"
                  >
                    {partner.name}
                  </Link>
                  <span className="block text-small text-ink-3">
                    {reasons.map(words).join(" · ")}
                  </span>
                </span>
                {look ? (
                  <Badge tone={look.tone} icon={look.icon} className="shrink-0">
                    <RelativeTime at={since} />
                  </Badge>
                ) : null}
              </li>
            );
          })}
        </ul>
      )}
      {more ? <div className="mt-3 flex justify-center">{more}</div> : null}
    </Card>
  );
}

function useReasonWords(): (reason: AttentionReason) => string {
  const t = useTranslations();
  return (reason) => {
    if (reason.kind === "failing")
      return isProblemCode(reason.code)
        ? t(`problems.${reason.code}.title`)
        : t("overview.attention.failing");
    const [first, second] = reason.types;
    const types = t(`overview.types.${second ? "both" : (first ?? "both")}`);
    return t(`overview.attention.${reason.kind}`, { types });
  };
}
