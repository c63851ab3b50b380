"use client";

import type { Configuration, ConfiguredWebhook } from "@/lib/webhooks/configuration";
import { webhookOf } from "@/lib/webhooks/draft";
import type { SheetAddress } from "@/lib/webhooks/sheet-address";
import { webhookTypes, type WebhookType } from "@/lib/webhooks/types";
import type { Editing } from "./editing";
import { UnregisteredCard } from "./unregistered-card";
import { WebhookCard } from "./webhook-card";

type WebhookCardsProps = {
  configuration: Configuration;
  old: boolean;
  editing: Editing;
  onOpen: (address: SheetAddress) => void;
  /** For those who may see an Authorization value. */
  onReveal: ((webhook: ConfiguredWebhook) => void) | undefined;
};

/** One card a type, registered or not, always in the same place. */
export function WebhookCards({ configuration, onReveal, ...card }: WebhookCardsProps) {
  const { editing, onOpen } = card;
  return (
    <div className="grid gap-4 md:grid-cols-2">
      {webhookTypes.map((type) => {
        const webhook = webhookOf(configuration, type);
        if (webhook) {
          return <WebhookCard key={type} webhook={webhook} onReveal={onReveal} {...card} />;
        }
        const from = otherType(type);
        return (
          <UnregisteredCard
            key={type}
            type={type}
            editing={editing}
            onOpen={onOpen}
            reuse={webhookOf(configuration, from) ? from : null}
          />
        );
      })}
    </div>
  );
}

function otherType(type: WebhookType): WebhookType {
  return type === "pix_in" ? "pix_out" : "pix_in";
}
