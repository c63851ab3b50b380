"use client";

import { Section } from "@/components/ui/section";
import type { CardEndpoint } from "@/components/endpoint-check/use-endpoint-checks";
import type {
  Configuration,
  ConfiguredWebhook,
  UnrecognisedWebhook,
} from "@/lib/webhooks/model/configuration";
import { webhookOf } from "@/lib/webhooks/model/registered";
import { searchWithSheet } from "@/lib/webhooks/model/sheet-address";
import { webhookTypes, type WebhookType } from "@/lib/webhooks/model/types";
import { useTranslations } from "next-intl";
import { UnregisteredCard, WebhookCard } from "./webhook-card";
import { Card, CardBody } from "@/components/ui/card";
import { AuthorizationValue, CallbackAddress, EventChips } from "./webhook-details";

type WebhookCardsProps = {
  configuration: Configuration;
  old: boolean;
  /** `TYPE ADDRESS` of each address that is new since the save just reported. */
  fresh: readonly string[];
  /** For people who may see an Authorization value. */
  onReveal: ((webhook: ConfiguredWebhook) => void) | undefined;
  endpointOf: (webhook: ConfiguredWebhook) => CardEndpoint | null;
  /** The partner's other environments, for people who may save there. */
  otherEnvironments: readonly string[];
};

/** One card for each type, registered or not, always in the same place. */
export function WebhookCards(props: WebhookCardsProps) {
  const { configuration, fresh, endpointOf, otherEnvironments, ...card } = props;
  return (
    <div className="grid gap-4 md:grid-cols-2">
      {webhookTypes.map((type) => {
        const webhook = webhookOf(configuration, type);
        if (webhook) {
          return (
            <WebhookCard
              key={type}
              webhook={webhook}
              outside={configuration.outside?.find((change) => change.type === type)}
              isNew={fresh.includes(`${type} ${webhook.callbackUrl}`)}
              endpoint={endpointOf(webhook)}
              elsewhere={otherEnvironments.map((environment) => ({
                environment,
                href: takeOverPath(configuration, environment, type),
              }))}
              {...card}
            />
          );
        }
        const from = otherType(type);
        return (
          <UnregisteredCard
            key={type}
            type={type}
            unclear={configuration.unclear === true}
            reuse={webhookOf(configuration, from) ? from : null}
          />
        );
      })}
    </div>
  );
}

/** The other environment's page, with the sheet open that starts from this one's address. */
function takeOverPath(here: Configuration, environment: string, type: WebhookType): string {
  const from = `environment.${here.environment}` as const;
  const search = searchWithSheet(new URLSearchParams(), { mode: "edit", type, from });
  return `/partners/${here.partner}/${environment}/webhooks${search}`;
}

function otherType(type: WebhookType): WebhookType {
  return type === "pix_in" ? "pix_out" : "pix_in";
}

type UnrecognisedItemsProps = { items: readonly UnrecognisedWebhook[] };

/** What the service lists besides one item for each type: shown unchanged, since messages may go there. */
export function UnrecognisedItems({ items }: UnrecognisedItemsProps) {
  const t = useTranslations("webhooks");
  if (items.length === 0) return null;

  const nameOf = (type: string | null) => {
    const known = webhookTypes.find((candidate) => candidate === type);
    if (known) return t("unrecognised.again", { type: t(`types.${known}`) });
    return type === null ? t("unrecognised.noType") : t("unrecognised.unknownType", { type });
  };

  return (
    <Section bare title={t("unrecognised.title")} text={t("unrecognised.text")}>
      <div className="grid gap-4 lg:grid-cols-2">
        {items.map((item, index) => (
          <Card key={index}>
            <CardBody className="flex flex-col gap-2">
              <h3 className="font-medium [overflow-wrap:anywhere]">{nameOf(item.type)}</h3>
              <CallbackAddress url={item.callbackUrl} typeName={nameOf(item.type)} />
              <AuthorizationValue value={item.authorization} />
              <EventChips events={item.events} />
            </CardBody>
          </Card>
        ))}
      </div>
    </Section>
  );
}
