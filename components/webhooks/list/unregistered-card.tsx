"use client";

import { Badge } from "@/components/ui/badge";
import { Card, CardBody } from "@/components/ui/card";
import { Chip } from "@/components/ui/chip";
import type { SheetAddress } from "@/lib/webhooks/model/sheet-address";
import { eventKinds, type WebhookType } from "@/lib/webhooks/model/types";
import { Copy, Plus } from "lucide-react";
import { useFormatter, useTranslations } from "next-intl";
import { useId, type ReactNode } from "react";
import { CardHeading } from "./card-heading";
import { EditButton } from "./edit-button";
import type { Editing } from "./editing";

type UnregisteredCardProps = {
  type: WebhookType;
  editing: Editing;
  onOpen: (address: SheetAddress) => void;
  /** The other type, where it is registered: one can start from its address. */
  reuse: WebhookType | null;
  /** The service did not say clearly that nothing is registered. */
  unclear: boolean;
  /** What waits for a second person. */
  waiting: ReactNode;
};

/** A type with no address: which events go nowhere, and how to change that. */
export function UnregisteredCard({
  type,
  editing,
  onOpen,
  reuse,
  unclear,
  waiting,
}: UnregisteredCardProps) {
  const t = useTranslations("webhooks");
  const format = useFormatter();
  const headingId = useId();
  const chips = eventKinds[type].map((event) => <Chip key={event}>{event}</Chip>);
  return (
    <Card dashed aria-labelledby={headingId}>
      <CardBody className="flex flex-col gap-4">
        <CardHeading
          id={headingId}
          type={type}
          badge={
            unclear ? (
              <Badge tone="warn">{t("card.unclear")}</Badge>
            ) : (
              <Badge tone="neutral">{t("card.notRegistered")}</Badge>
            )
          }
        />
        {waiting}
        {unclear ? null : (
          <p className="leading-6 text-ink-2">
            {t.rich(`card.goNowhere.${type}`, { events: () => format.list(chips) })}
          </p>
        )}
        <div className="flex flex-wrap gap-2">
          <EditButton
            editing={editing}
            opens={{ mode: "register", type }}
            onOpen={onOpen}
            variant="primary"
            icon={<Plus aria-hidden />}
          >
            {t("card.registerType", { type: t(`types.${type}`) })}
          </EditButton>
          {reuse ? (
            <EditButton
              editing={editing}
              opens={{ mode: "register", type, from: reuse }}
              onOpen={onOpen}
              icon={<Copy aria-hidden />}
            >
              {t("card.reuse", { type: t(`types.${reuse}`) })}
            </EditButton>
          ) : null}
        </div>
      </CardBody>
    </Card>
  );
}
