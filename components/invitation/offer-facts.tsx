"use client";

import { AbsoluteTime } from "@/components/ui/time";
import { useTranslations } from "next-intl";
import type { ReactNode } from "react";
import type { OpenOffer } from "./use-invitation";

/** Who invites whom, to what, until when. */
export function OfferFacts({ offer }: { offer: OpenOffer }) {
  const t = useTranslations();
  return (
    <dl className="grid gap-3 rounded-control bg-sunken px-4 py-3">
      <Fact name={t("invitation.for")}>{offer.email}</Fact>
      <Fact name={t("invitation.role")}>
        {t(`common.roles.${offer.role}`)}
        <span className="block text-small font-normal text-ink-2">
          {t(`team.roles.${offer.role}`)}
        </span>
      </Fact>
      <Fact name={t("invitation.expires")}>
        <AbsoluteTime at={offer.expiresAt} />
      </Fact>
    </dl>
  );
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="min-w-0">
      <dt className="text-small text-ink-3">{name}</dt>
      <dd className="font-medium [overflow-wrap:anywhere]">{children}</dd>
    </div>
  );
}
