"use client";

import { Card, CardBody } from "@/components/ui/card";
import type { Configuration, UnrecognisedWebhook } from "@/lib/webhooks/model/configuration";
import { webhookTypes } from "@/lib/webhooks/model/types";
import { useTranslations } from "next-intl";
import { useId } from "react";
import { AuthorizationValue, CallbackAddress, EventChips } from "./webhook-details";

type UnrecognisedItemsProps = {
  items: readonly UnrecognisedWebhook[];
  /** What is known of the service's list. */
  list: Configuration["list"];
};

/** What the service lists besides one item a type: shown as it is, since somebody's messages may go there. */
export function UnrecognisedItems({ items, list }: UnrecognisedItemsProps) {
  const t = useTranslations("webhooks");
  const headingId = useId();
  if (items.length === 0) return null;

  const nameOf = (type: string | null) => {
    const known = webhookTypes.find((candidate) => candidate === type);
    if (known) return t("unrecognised.again", { type: t(`types.${known}`) });
    return type === null ? t("unrecognised.noType") : t("unrecognised.unknownType", { type });
  };

  return (
    <section aria-labelledby={headingId} className="flex flex-col gap-3">
      <div>
        <h2 id={headingId} className="text-[0.9375rem] font-semibold">
          {t("unrecognised.title")}
        </h2>
        <p className="text-small text-ink-2">{t("unrecognised.text")}</p>
      </div>
      <div className="grid gap-4 lg:grid-cols-2">
        {items.map((item, index) => (
          <Card key={index}>
            <CardBody className="flex flex-col gap-2">
              <h3 className="font-medium [overflow-wrap:anywhere]">{nameOf(item.type)}</h3>
              <CallbackAddress url={item.callbackUrl} typeName={nameOf(item.type)} />
              <AuthorizationValue value={item.authorization} list={list} />
              <EventChips events={item.events} />
            </CardBody>
          </Card>
        ))}
      </div>
    </section>
  );
}
