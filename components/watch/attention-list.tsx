"use client";

import { InitialsTile } from "@/components/layout/nav/initials-tile";
import { useFaultWord } from "@/components/partners/state-badges";
import { Badge } from "@/components/ui/badge";
import { RelativeTime } from "@/components/ui/time";
import type { AttentionReason, Overview } from "@/lib/watch/model/overview";
import { CircleX, EyeOff, type LucideIcon, TriangleAlert, CircleDashed } from "lucide-react";
import { useFormatter, useTranslations } from "next-intl";
import Link from "next/link";
import type { ComponentProps } from "react";

type Look = { tone: ComponentProps<typeof Badge>["tone"]; icon: LucideIcon };

const looks: Record<AttentionReason["kind"], Look> = {
  failing: { tone: "bad", icon: CircleX },
  changed_outside: { tone: "warn", icon: TriangleAlert },
  other_value: { tone: "warn", icon: TriangleAlert },
  type_missing: { tone: "neutral", icon: CircleDashed },
  no_authorization: { tone: "warn", icon: EyeOff },
};

type AttentionListProps = Pick<Overview, "attention" | "environment"> & {
  /** Operators manage partners and do not see inside: they get to the line in the table. */
  opensPartner: boolean;
};

/** Each partner that needs attention, with why and since when. */
export function AttentionList({ attention, environment, opensPartner }: AttentionListProps) {
  const reasonWord = useReasonWord();
  const hrefOf = (id: string) =>
    opensPartner
      ? `/partners/${id}/${environment}/webhooks`
      : `/partners?search=${encodeURIComponent(id)}&environment=${environment}`;
  return (
    <ul className="divide-y divide-line">
      {attention.map(({ partner, reasons }) => (
        <li
          key={partner.id}
          className="relative flex items-start gap-3 py-3 transition-colors hover:bg-hover"
        >
          <InitialsTile name={partner.name} kind="partner" />
          <div className="flex min-w-0 flex-1 flex-col gap-1">
            <Link
              href={hrefOf(partner.id)}
              prefetch={false}
              className="font-medium [overflow-wrap:anywhere] after:absolute after:inset-0"
            >
              {partner.name}
            </Link>
            {reasons.map((reason) => {
              const { tone, icon: Icon } = looks[reason.kind];
              return (
                <span
                  key={reason.kind}
                  className="flex flex-wrap items-center justify-between gap-x-3 gap-y-1 text-small text-ink-2"
                >
                  {reasonWord(reason)}
                  <Badge tone={tone} icon={<Icon aria-hidden />} className="whitespace-nowrap">
                    <RelativeTime at={reason.since} />
                  </Badge>
                </span>
              );
            })}
          </div>
        </li>
      ))}
    </ul>
  );
}

function useReasonWord(): (reason: AttentionReason) => string {
  const t = useTranslations("watch.attention");
  const typeName = useTranslations("webhooks.types");
  const format = useFormatter();
  const faultWord = useFaultWord();
  return (reason) =>
    reason.kind === "failing"
      ? faultWord(reason.code)
      : t(reason.kind, { types: format.list(reason.types.map((type) => typeName(type))) });
}
