"use client";

import type { WebhookType } from "@/lib/webhooks/model/types";
import type { PartnerLine } from "@/lib/partners/model/page";
import { useTranslations } from "next-intl";
import { Fragment } from "react";

/** Where one type's messages go, as far as the host; or why there is none to show. */
export function Host({ partner, type }: { partner: PartnerLine; type: WebhookType }) {
  const t = useTranslations("partners");
  const host = partner.hosts[type];
  if (host !== null)
    return (
      <span className="font-mono text-small [overflow-wrap:anywhere]">
        {host.split(".").map((label, index) => (
          // Where it does not fit, it breaks between its names; and nothing is put in that copying would take along.
          <Fragment key={index}>
            {index > 0 ? (
              <>
                .<wbr />
              </>
            ) : null}
            {label}
          </Fragment>
        ))}
      </span>
    );
  const known = partner.connected && partner.checkedAt !== null;
  return <span className="text-ink-3">{known ? t("notRegistered") : t("unknownHost")}</span>;
}
