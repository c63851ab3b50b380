"use client";

import { Fact } from "@/components/ui/fact";
import { Hint } from "@/components/ui/hint";
import { usePersonName } from "@/components/ui/person-name";
import type { CardEndpoint } from "@/components/endpoint-check/use-endpoint-checks";
import { Badge } from "@/components/ui/badge";
import { Card, CardBody, CardFooter } from "@/components/ui/card";
import { isOnlyValue } from "@/lib/history/model/only-value";
import type { ConfiguredWebhook, OutsideChange } from "@/lib/webhooks/model/configuration";
import {
  ArrowDownLeft,
  ArrowUpRight,
  CircleCheck,
  Clock,
  Copy,
  Info,
  Pencil,
  Plus,
  TriangleAlert,
} from "lucide-react";
import { shownAuthorization } from "@/lib/webhooks/model/compare";
import { useFormatter, useTranslations } from "next-intl";
import { type ReactNode, useId } from "react";
import { AuthorizationValue, CallbackAddress, EventChips } from "./webhook-details";
import { EditButton } from "./edit-button";
import { RevealButton } from "@/components/webhooks/reveal/reveal-button";
import { Chip } from "@/components/ui/chip";
import { cn } from "@/components/ui/cn";
import { eventKinds, type WebhookType } from "@/lib/webhooks/model/types";
import { MenuLink, RowMenu } from "@/components/ui/menu";
import { RelativeTime } from "@/components/ui/time";
import { useEnvironmentName } from "@/components/layout/nav/environment-name";

type WebhookCardProps = {
  webhook: ConfiguredWebhook;
  /** The service could not confirm it just now. */
  old: boolean;
  /** The service holds something that nobody saved with Gancho, and nobody has acknowledged that. */
  outside: OutsideChange | undefined;
  /** The save just reported gave it another address. */
  isNew: boolean;
  /** For people who may see an Authorization value. */
  onReveal: ((webhook: ConfiguredWebhook) => void) | undefined;
  /** The last check of its address, and the button for another; null where checks are switched off. */
  endpoint: CardEndpoint | null;
  /** Where else its address can be used: an environment, and the page there with its sheet open. */
  elsewhere: readonly { environment: string; href: string }[];
};

/** One registered type. */
export function WebhookCard({
  webhook,
  old,
  outside,
  isNew,
  onReveal,
  endpoint,
  elsewhere,
}: WebhookCardProps) {
  const t = useTranslations("webhooks");
  const environmentName = useEnvironmentName();
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
            ) : outside ? (
              <Badge tone="warn">
                {t(isOnlyValue(outside) ? "card.otherValue" : "card.outside")}
              </Badge>
            ) : (
              <Badge tone="ok">{t("card.registered")}</Badge>
            )
          }
        />
        {webhook.inferred ? <Hint icon={Info}>{t("card.inferred")}</Hint> : null}
        <dl className="flex flex-col gap-4">
          <div className="min-w-0">
            <dt className="sr-only">{t("card.url")}</dt>
            <dd
              className={cn(
                "flex flex-col gap-1",
                isNew && "-mx-2 animate-mark rounded-control bg-ok-soft px-2 py-1",
              )}
            >
              <CallbackAddress url={webhook.callbackUrl} typeName={typeName} />
              {isNew ? (
                <span className="flex items-center gap-1.5 text-small text-ok">
                  <CircleCheck aria-hidden className="size-4 shrink-0" />
                  {t("card.newAddress")}
                </span>
              ) : null}
            </dd>
          </div>
          <Fact name={t("card.authorization")}>
            <div className="flex min-h-8 items-center justify-between gap-2">
              <AuthorizationValue value={webhook.authorization} />
              {onReveal && isRevealable(webhook) ? (
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
          <Hint tone="warn" icon={TriangleAlert}>
            {t("card.duplicate", { type: typeName })}
          </Hint>
        ) : null}
      </CardBody>
      {endpoint?.last}
      <CardFooter className="max-sm:[&>button]:grow max-sm:[&>form]:grow">
        <p className="min-w-0 flex-1 basis-32 [overflow-wrap:anywhere] max-sm:basis-full">
          <LastChange change={webhook.lastChange} />
        </p>
        {endpoint?.button}
        <EditButton
          opens={{ mode: "edit", type: webhook.type }}
          size="sm"
          icon={<Pencil aria-hidden />}
          aria-label={t("card.editType", { type: typeName })}
        >
          {t("card.edit")}
        </EditButton>
        {elsewhere.length > 0 || endpoint?.menuItem ? (
          <RowMenu label={t("card.more", { type: typeName })}>
            {endpoint?.menuItem}
            {elsewhere.map(({ environment, href }) => (
              <MenuLink key={environment} href={href}>
                {t("card.takeOver", { environment: environmentName(environment) })}
              </MenuLink>
            ))}
          </RowMenu>
        ) : null}
      </CardFooter>
    </Card>
  );
}

/** A placeholder for a value that is not shown cannot be revealed. */
function isRevealable({ authorization }: ConfiguredWebhook): boolean {
  return shownAuthorization(authorization).kind === "set";
}

type UnregisteredCardProps = {
  type: WebhookType;
  /** The other type, where it is registered: a new one can start from its address. */
  reuse: WebhookType | null;
  /** The service did not say clearly that nothing is registered. */
  unclear: boolean;
};

/** A type with no address: which events go nowhere, and how to change that. */
export function UnregisteredCard({ type, reuse, unclear }: UnregisteredCardProps) {
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
        {unclear ? null : (
          <p className="leading-6 text-ink-2">
            {t.rich(`card.goNowhere.${type}`, { events: () => format.list(chips) })}
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

/** `id` is the heading's, for the region that it names. */
function CardHeading({ id, type, badge }: { id: string; type: WebhookType; badge: ReactNode }) {
  const t = useTranslations("webhooks");
  return (
    <div className="flex items-start gap-3">
      <TypeIcon type={type} />
      <div className="min-w-0 flex-1">
        <h2 id={id} className="text-[0.9375rem] leading-5 font-semibold">
          {t(`types.${type}`)}
        </h2>
        <p className="text-small text-ink-3">{t(`kinds.${type}`)}</p>
      </div>
      {badge}
    </div>
  );
}

/** Money coming in, money going out. */
function TypeIcon({ type }: { type: WebhookType }) {
  const [Icon, style] =
    type === "pix_in"
      ? [ArrowDownLeft, "bg-in-soft text-in"]
      : [ArrowUpRight, "bg-out-soft text-out"];
  return (
    <span
      className={`inline-flex size-8 shrink-0 items-center justify-center rounded-control ${style}`}
    >
      <Icon aria-hidden className="size-4" />
    </span>
  );
}

function LastChange({ change }: { change: ConfiguredWebhook["lastChange"] }) {
  const t = useTranslations("webhooks.card");
  const nameOf = usePersonName();
  if (!change) return t("neverChanged");
  const time = () => <RelativeTime at={change.at} />;
  return change.by === null
    ? t.rich(change.onlyValue ? "otherValueSeen" : "changedOutside", { time })
    : change.approvedBy === undefined
      ? t.rich("changedBy", { name: nameOf(change.by), time })
      : t.rich("changedByTwo", {
          name: nameOf(change.by),
          approver: nameOf(change.approvedBy),
          time,
        });
}
