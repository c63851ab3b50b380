"use client";

import { Badge } from "@/components/ui/badge";
import { Card, CardBody, CardFooter } from "@/components/ui/card";
import type { Configuration, ConfiguredWebhook } from "@/lib/webhooks/model/configuration";
import { Clock, Info, Pencil, TriangleAlert } from "lucide-react";
import type { SheetAddress } from "@/lib/webhooks/model/sheet-address";
import { shownAuthorization } from "@/lib/webhooks/model/side";
import { useTranslations } from "next-intl";
import { useId, type ReactNode } from "react";
import { AuthorizationValue } from "./authorization-value";
import { CallbackAddress } from "./callback-address";
import { CardHeading } from "./card-heading";
import { EditButton } from "./edit-button";
import type { Editing } from "./editing";
import { EventChips } from "./event-chips";
import { LastChange } from "./last-change";
import { RevealButton } from "@/components/webhooks/reveal/reveal-button";

type WebhookCardProps = {
  webhook: ConfiguredWebhook;
  /** What is known of the service's list. */
  list: Configuration["list"];
  /** The service could not confirm it just now. */
  old: boolean;
  editing: Editing;
  onOpen: (address: SheetAddress) => void;
  /** For those who may see an Authorization value. */
  onReveal: ((webhook: ConfiguredWebhook) => void) | undefined;
  /** What waits for a second person. */
  waiting: ReactNode;
};

/** One registered type. */
export function WebhookCard({
  webhook,
  list,
  old,
  editing,
  onOpen,
  onReveal,
  waiting,
}: WebhookCardProps) {
  const t = useTranslations("webhooks");
  const headingId = useId();
  const typeName = t(`types.${webhook.type}`);
  return (
    <Card aria-labelledby={headingId}>
      <CardBody className="flex flex-col gap-4">
        <CardHeading
          id={headingId}
          type={webhook.type}
          badge={
            old ? (
              <Badge tone="warn" icon={<Clock aria-hidden />}>
                {t("card.old")}
              </Badge>
            ) : (
              <Badge tone="ok">{t("card.registered")}</Badge>
            )
          }
        />
        {webhook.inferred ? (
          <p className="flex items-start gap-2 text-small text-ink-2">
            <Info aria-hidden className="mt-0.5 size-4 shrink-0" />
            {t("card.inferred")}
          </p>
        ) : null}
        {waiting}
        <dl className="flex flex-col gap-4">
          <Fact name={t("card.url")}>
            <CallbackAddress url={webhook.callbackUrl} typeName={typeName} />
          </Fact>
          <Fact name={t("card.authorization")}>
            <div className="flex min-h-8 items-center justify-between gap-2">
              <AuthorizationValue value={webhook.authorization} list={list} />
              {onReveal && isRevealable(webhook, list) ? (
                <RevealButton
                  type={webhook.type}
                  describedBy={headingId}
                  onReveal={() => onReveal(webhook)}
                />
              ) : null}
            </div>
          </Fact>
          <Fact name={t("card.events")}>
            <EventChips events={webhook.events} />
          </Fact>
        </dl>
        {webhook.duplicate ? (
          <p className="flex items-start gap-2 text-small text-warn">
            <TriangleAlert aria-hidden className="mt-0.5 size-4 shrink-0" />
            {t("card.duplicate", { type: typeName })}
          </p>
        ) : null}
      </CardBody>
      <CardFooter>
        <p className="min-w-0 flex-1 basis-32 [overflow-wrap:anywhere]">
          <LastChange change={webhook.lastChange} />
        </p>
        <EditButton
          editing={editing}
          opens={{ mode: "edit", type: webhook.type }}
          onOpen={onOpen}
          size="sm"
          icon={<Pencil aria-hidden />}
          aria-label={t("card.editType", { type: typeName })}
        >
          {t("card.edit")}
        </EditButton>
      </CardFooter>
    </Card>
  );
}

/** What stands in for a value that is not shown is nothing to be revealed. */
function isRevealable({ authorization }: ConfiguredWebhook, list: Configuration["list"]): boolean {
  return shownAuthorization(authorization, list).kind === "set";
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="flex min-w-0 flex-col gap-1">
      <dt className="text-small text-ink-3">{name}</dt>
      <dd className="min-w-0">{children}</dd>
    </div>
  );
}
