"use client";

import type { CardEndpoint } from "@/components/endpoint-check/use-endpoint-checks";
import type {
  Configuration,
  ConfiguredWebhook,
  Proposal,
  UnrecognisedWebhook,
} from "@/lib/webhooks/model/configuration";
import { webhookOf } from "@/lib/webhooks/model/registered";
import { isAbout } from "@/lib/webhooks/model/proposals/needs-approval";
import { searchWithSheet, type SheetAddress } from "@/lib/webhooks/model/sheet-address";
import { webhookTypes, type WebhookType } from "@/lib/webhooks/model/types";
import { Hourglass } from "lucide-react";
import { useTranslations } from "next-intl";
import type { Editing } from "./edit-button";
import { ProposalBanner } from "@/components/webhooks/proposals/lazy-proposal";
import type { OnDecide } from "@/components/webhooks/proposals/proposal-banner";
import { UnregisteredCard, WebhookCard } from "./webhook-card";
import { Card, CardBody } from "@/components/ui/card";
import { useId } from "react";
import { AuthorizationValue, CallbackAddress, EventChips } from "./webhook-details";

type WebhookCardsProps = {
  configuration: Configuration;
  old: boolean;
  /** `TYPE ADDRESS` of each address that is new since the save just reported. */
  fresh: readonly string[];
  editing: Editing;
  onOpen: (address: SheetAddress) => void;
  /** For people who may see an Authorization value. */
  onReveal: ((webhook: ConfiguredWebhook) => void) | undefined;
  /** The viewer's id, if they may decide about a waiting proposal. */
  reader: string | null;
  onDecide: OnDecide;
  endpointOf: (webhook: ConfiguredWebhook) => CardEndpoint | null;
  /** The partner's other environments, for people who may save there. */
  otherEnvironments: readonly string[];
};

/** One card for each type, registered or not, always in the same place. */
export function WebhookCards({
  configuration,
  fresh,
  onReveal,
  reader,
  onDecide,
  endpointOf,
  otherEnvironments,
  ...card
}: WebhookCardsProps) {
  const { editing, onOpen, old } = card;
  const proposals = configuration.proposals ?? [];
  const banner = (proposal: Proposal) => (
    <ProposalBanner
      key={proposal.id}
      proposal={proposal}
      configuration={configuration}
      reader={reader}
      old={old}
      filled={proposals.length === 1 && !configuration.outside}
      onDecide={onDecide}
    />
  );
  // One proposal, one decision: a proposal for both types stands above both, and each card points there.
  const ofBoth = proposals.filter(({ type }) => type === "both");
  const waiting = (type: WebhookType) => (
    <>
      {ofBoth.length > 0 ? <WaitsAbove /> : null}
      {proposals
        .filter((proposal) => proposal.type !== "both" && isAbout(proposal, type))
        .map(banner)}
    </>
  );
  return (
    <>
      {ofBoth.map(banner)}
      <div className="grid gap-4 md:grid-cols-2">
        {webhookTypes.map((type) => {
          const webhook = webhookOf(configuration, type);
          if (webhook) {
            return (
              <WebhookCard
                key={type}
                webhook={webhook}
                onReveal={onReveal}
                outside={configuration.outside?.find((change) => change.type === type)}
                isNew={fresh.includes(`${type} ${webhook.callbackUrl}`)}
                waiting={waiting(type)}
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
              editing={editing}
              onOpen={onOpen}
              unclear={configuration.unclear === true}
              waiting={waiting(type)}
              reuse={webhookOf(configuration, from) ? from : null}
            />
          );
        })}
      </div>
    </>
  );
}

function WaitsAbove() {
  const t = useTranslations("webhooks.proposal");
  return (
    <p className="flex items-start gap-2 text-small text-warn">
      <Hourglass aria-hidden className="mt-0.5 size-4 shrink-0" />
      {t("above")}
    </p>
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

type UnrecognisedItemsProps = {
  items: readonly UnrecognisedWebhook[];
};

/** What the service lists besides one item for each type: shown unchanged, since messages may go there. */
export function UnrecognisedItems({ items }: UnrecognisedItemsProps) {
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
              <AuthorizationValue value={item.authorization} />
              <EventChips events={item.events} />
            </CardBody>
          </Card>
        ))}
      </div>
    </section>
  );
}
