"use client";

import { Section } from "@/components/ui/section";
import { Sentences } from "@/components/ui/sentences";
import type { CardEndpoint } from "@/components/endpoint-check/use-endpoint-checks";
import type {
  Configuration,
  ConfiguredWebhook,
  UnrecognisedWebhook,
} from "@/lib/webhooks/model/configuration";
import { missingMayBeRegistered, webhookOf } from "@/lib/webhooks/model/registered";
import { searchWithSheet } from "@/lib/webhooks/model/sheet-address";
import {
  webhookTypes,
  type WebhookType,
  eventKinds,
} from "@/lib/platform/payment-service/contract/terms";
import { useTranslations, useFormatter } from "next-intl";
import { Card, CardBody, CardFooter } from "@/components/ui/card";
import { Fact } from "@/components/ui/fact";
import { Hint } from "@/components/ui/hint";
import { usePersonName } from "@/components/ui/person-name";
import { Badge } from "@/components/ui/badge";
import {
  ArrowDownLeft,
  ArrowUpRight,
  Copy,
  Info,
  KeyRound,
  Pencil,
  Plus,
  TriangleAlert,
  EyeOff,
} from "lucide-react";
import { shownAuthorization } from "@/lib/webhooks/model/compare";
import { type ReactElement, useId } from "react";
import { EditButton } from "./edit-button";
import { RevealButton } from "@/components/webhooks/reveal/reveal-button";
import { Chip } from "@/components/ui/chip";
import { MenuLink, RowMenu } from "@/components/ui/menu";
import { ShortTime } from "@/components/ui/time";
import { useEnvironmentName } from "@/components/layout/nav/environment-name";
import { CopyButton } from "@/components/ui/copy-button";
import { Address } from "@/components/webhooks/compare/address";
import { spacedFingerprint } from "@/components/webhooks/compare/use-authorization-words";

type WebhookCardsProps = {
  configuration: Configuration;
  /** Undefined if the viewer may not see Authorization values. */
  onReveal: ((webhook: ConfiguredWebhook) => void) | undefined;
  endpointOf: (webhook: ConfiguredWebhook) => CardEndpoint | null;
  /** The types whose value was shown beside an address that no save here asked for. */
  exposed: readonly WebhookType[];
  /** The partner's other environments, if the viewer may save there. */
  otherEnvironments: readonly string[];
};

/** One card for each type, registered or not, always in the same order. */
export function WebhookCards(props: WebhookCardsProps) {
  const { configuration } = props;
  return (
    <div className="grid gap-4 md:grid-cols-2 md:gap-y-0">
      {webhookTypes.map((type) => {
        const webhook = webhookOf(configuration, type);
        return webhook ? (
          <WebhookCard key={type} {...props} webhook={webhook} />
        ) : (
          <UnregisteredCard key={type} type={type} configuration={configuration} />
        );
      })}
    </div>
  );
}

/** The other environment's page, with a sheet open that starts from this environment's address. */
function takeOverPath(here: Configuration, environment: string, type: WebhookType): string {
  const from = `environment.${here.environment}` as const;
  const search = searchWithSheet(new URLSearchParams(), { mode: "edit", type, from });
  return `/partners/${here.partner}/${environment}/webhooks${search}`;
}

/** Items that the service lists beyond one for each type. They are shown as they are, since messages may go there. */
export function UnrecognisedItems({ items }: { items: readonly UnrecognisedWebhook[] }) {
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

/** Its parts are in rows that both cards share. */
const aligned = "md:row-span-5 md:grid md:grid-rows-subgrid md:gap-y-0";

/** The card of a registered type. */
function WebhookCard(props: WebhookCardsProps & { webhook: ConfiguredWebhook }) {
  const { configuration, webhook, onReveal, exposed, otherEnvironments } = props;
  const t = useTranslations("webhooks");
  const environmentName = useEnvironmentName();
  const headingId = useId();
  const { type } = webhook;
  const typeName = t(`types.${type}`);
  const endpoint = props.endpointOf(webhook);
  return (
    <Card aria-labelledby={headingId} className={aligned}>
      <div className="flex flex-col gap-3 px-4 pt-4 sm:px-5">
        <CardHeading id={headingId} type={type} events={webhook.events} />
        {webhook.inferred ? <Hint icon={Info}>{t("card.inferred")}</Hint> : null}
        {webhook.duplicate ? (
          <Hint tone="warn" icon={TriangleAlert}>
            {t("card.duplicate", { type: typeName })}
          </Hint>
        ) : null}
      </div>
      <dl className="px-4 pt-3 sm:px-5">
        <dt className="sr-only">{t("card.url")}</dt>
        <dd>
          <CallbackAddress url={webhook.callbackUrl} typeName={typeName} />
        </dd>
      </dl>
      <dl className="px-4 pt-3 pb-3 sm:px-5">
        <Fact name={t("card.authorization")}>
          <div className="flex min-h-8 items-center justify-between gap-2">
            <AuthorizationValue value={webhook.authorization} />
            {exposed.includes(type) ? (
              <Badge
                tone="bad"
                icon={<KeyRound aria-hidden />}
                className="ml-auto shrink-0 whitespace-nowrap"
              >
                {t("card.exposed")}
              </Badge>
            ) : null}
            {/* A masked value cannot be revealed. */}
            {onReveal && shownAuthorization(webhook.authorization).kind === "set" ? (
              <RevealButton
                type={webhook.type}
                describedBy={headingId}
                onReveal={() => onReveal(webhook)}
              />
            ) : null}
          </div>
        </Fact>
      </dl>
      <div className="flex flex-col *:flex-1">{endpoint?.last}</div>
      <CardFooter className="content-start">
        <p className="min-w-0 basis-full [overflow-wrap:anywhere]">
          <ShownSince
            webhook={webhook}
            differs={configuration.outside?.some((change) => change.type === type) ?? false}
          />
        </p>
        <div className="flex flex-wrap items-center gap-x-3 gap-y-2 max-sm:basis-full max-sm:[&>button]:grow max-sm:[&>form]:grow">
          {endpoint?.button}
          <EditButton
            opens={{ mode: "edit", type: webhook.type }}
            size="sm"
            icon={<Pencil aria-hidden />}
            aria-label={t("card.editType", { type: typeName })}
          >
            {t("card.edit")}
          </EditButton>
          {otherEnvironments.length > 0 || endpoint?.menuItem ? (
            <RowMenu label={t("card.more", { type: typeName })}>
              {endpoint?.menuItem}
              {otherEnvironments.map((environment) => (
                <MenuLink key={environment} href={takeOverPath(configuration, environment, type)}>
                  {t("card.takeOver", { environment: environmentName(environment) })}
                </MenuLink>
              ))}
            </RowMenu>
          ) : null}
        </div>
      </CardFooter>
    </Card>
  );
}

type UnregisteredCardProps = { type: WebhookType; configuration: Configuration };

/** The card of a type that is not listed: the events that it would get, if those are known, and buttons to register it. */
function UnregisteredCard({ type, configuration }: UnregisteredCardProps) {
  const unclear = missingMayBeRegistered(configuration);
  const isGone = configuration.outside?.some((change) => change.type === type && change.before);
  // The other type, if it is registered: the sheet can start from its address.
  const reuse = webhookTypes.find((other) => webhookOf(configuration, other));
  const t = useTranslations("webhooks");
  const format = useFormatter();
  const headingId = useId();
  const chips = eventKinds[type].map((event) => <Chip key={event}>{event}</Chip>);
  return (
    <Card dashed aria-labelledby={headingId} className="md:row-span-5">
      <CardBody className="flex flex-col gap-4">
        <CardHeading
          id={headingId}
          type={type}
          badge={
            <Badge tone={unclear || isGone ? "warn" : "neutral"}>
              {t(`card.${unclear ? "unclear" : isGone ? "notListed" : "notRegistered"}`)}
            </Badge>
          }
        />
        {/* The page's notice says why, for both types. */}
        {configuration.unclear ? null : (
          <p className="leading-6 text-ink-2">
            <Sentences
              of={[
                unclear
                  ? t("card.mayBeBelow")
                  : isGone
                    ? t("card.gone")
                    : t.rich(`card.goNowhere.${type}`, { events: () => format.list(chips) }),
              ]}
            />
          </p>
        )}
        <div className="flex flex-wrap gap-2">
          <EditButton opens={{ mode: "register", type }} icon={<Plus aria-hidden />}>
            {t("card.registerType", { type: t(`types.${type}`) })}
          </EditButton>
          {reuse ? (
            <EditButton opens={{ mode: "register", type, from: reuse }} icon={<Copy aria-hidden />}>
              {t("card.reuse", { type: t(`types.${reuse}`) })}
            </EditButton>
          ) : null}
        </div>
      </CardBody>
    </Card>
  );
}

type CardHeadingProps = {
  /** The heading's, which names the card. */
  id: string;
  type: WebhookType;
  /** null: the service did not state them; undefined: nothing is registered. */
  events?: readonly string[] | null;
  badge?: ReactElement;
};

/** The icon stands for money coming in or going out. */
function CardHeading({ id, type, events, badge }: CardHeadingProps) {
  const t = useTranslations("webhooks");
  const [Icon, style] =
    type === "pix_in"
      ? [ArrowDownLeft, "bg-in-soft text-in"]
      : [ArrowUpRight, "bg-out-soft text-out"];
  return (
    <div className="flex items-start gap-3">
      <span
        className={`inline-flex size-8 shrink-0 items-center justify-center rounded-control ${style}`}
      >
        <Icon aria-hidden className="size-4" />
      </span>
      <div className="flex min-h-8 min-w-0 flex-1 flex-wrap items-center gap-x-2">
        <h2 id={id} className="text-[0.9375rem] leading-5 font-semibold">
          {t(`types.${type}`)}
        </h2>
        {events === undefined ? null : (
          <p className="min-w-0 text-small [overflow-wrap:anywhere] text-ink-3">
            {events?.length ? (
              <span translate="no">{events.join(", ")}</span>
            ) : (
              t("card.eventsUnknown")
            )}
          </p>
        )}
      </div>
      {badge}
    </div>
  );
}

type ShownSinceProps = {
  webhook: ConfiguredWebhook;
  /** The list above says that no save here asked for it. */
  differs: boolean;
};

/** Since when the service shows it so, and who asked for it here. */
function ShownSince({ webhook, differs }: ShownSinceProps) {
  const { shownSince, askedBy, approvedBy } = webhook;
  const t = useTranslations("webhooks.card");
  const nameOf = usePersonName();
  const time = () => <ShortTime at={shownSince} />;
  const name = askedBy && nameOf(askedBy.name);
  return (
    <Sentences
      of={[
        name === null
          ? t.rich(differs ? "shownSinceOnly" : "shownSince", { time })
          : approvedBy === undefined
            ? t.rich("askedBy", { name, time })
            : t.rich("askedByTwo", { name, approver: nameOf(approvedBy), time }),
      ]}
    />
  );
}

/** The address in full, with a copy button. */
function CallbackAddress({ url, typeName }: { url: string; typeName: string }) {
  const t = useTranslations();
  return (
    <div className="flex items-center justify-between gap-2">
      <p className="min-w-0 text-base leading-6 text-ink-2 sm:text-[1.0625rem]">
        <Address url={url} />
      </p>
      <CopyButton text={url} label={t("webhooks.card.copyUrl", { type: typeName })} />
    </div>
  );
}

/** Whether a value is set, not shown or in doubt; never the value itself. */
function AuthorizationValue({ value }: { value: ConfiguredWebhook["authorization"] }) {
  const t = useTranslations("webhooks.card");
  const isNotShown = value.hidden === "masked" || value.retype === "retype_not_shown";
  const doubt = value.conflict
    ? "conflict"
    : isNotShown
      ? "notShown"
      : value.set
        ? null
        : "noneShown";
  return (
    <div className="flex flex-col items-start gap-1">
      {doubt === null ? (
        <span className="flex flex-wrap items-center gap-2">
          <span aria-hidden className="font-mono tracking-wider text-ink">
            ••••••••••••
          </span>
          <span className="sr-only">{t("authorizationSet")}</span>
          {value.fingerprint === null ? null : (
            <span title={t("fingerprint")}>
              <Chip>{`fp ${spacedFingerprint(value.fingerprint)}`}</Chip>
            </span>
          )}
        </span>
      ) : (
        <>
          <Badge
            tone={doubt === "notShown" ? "neutral" : "warn"}
            icon={doubt === "notShown" ? <EyeOff aria-hidden /> : undefined}
          >
            {t(doubt)}
          </Badge>
          <p className="text-small text-ink-2">{t(`${doubt}Hint`)}</p>
        </>
      )}
      {doubt === null && value.retype === "retype_other_value" ? (
        <p className="text-small text-warn">{t("otherValueHint")}</p>
      ) : null}
    </div>
  );
}

/** If the service lists no events, the card says that they are unknown and assumes none. */
function EventChips({ events }: { events: readonly string[] | null }) {
  const t = useTranslations("webhooks.card");
  if (!events?.length) return <p className="text-ink-3">{t("eventsUnknown")}</p>;
  return (
    <ul className="flex flex-wrap gap-1.5">
      {events.map((event, index) => (
        <li key={`${event}-${index}`} className="min-w-0">
          <Chip>{event}</Chip>
        </li>
      ))}
    </ul>
  );
}
