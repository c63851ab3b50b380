"use client";

import { useHere } from "@/components/layout/here";
import { Hint } from "@/components/ui/hint";
import {
  type EndpointChecks,
  useEndpointChecks,
} from "@/components/endpoint-check/use-endpoint-checks";
import { RelativeTime, useIsLongAgo } from "@/components/ui/time";
import { Notice } from "@/components/ui/notice";
import { Skeleton } from "@/components/ui/skeleton";
import type { Configuration } from "@/lib/webhooks/model/configuration";
import { oldAfterMs } from "@/lib/webhooks/client/query";
import { useConfiguration } from "@/lib/webhooks/client/use-configuration";
import { webhookTypes } from "@/lib/platform/payment-service/contract/terms";
import { newAddresses } from "@/lib/webhooks/model/save-end";
import { Eye } from "lucide-react";
import { useFormatter, useTranslations } from "next-intl";
import { Proposals } from "@/components/webhooks/proposals/proposals";
import { useId, useState } from "react";
import { EditingContext, type Editing } from "./edit-button";
import { OutsideBanner } from "@/components/webhooks/outside/lazy-banner";
import { RevealDialog, useOpenReveal } from "@/components/webhooks/reveal/reveal-button";
import { WebhookSheet, useOpenSheet } from "@/components/webhooks/editor/open-sheet";
import { StaleNotice } from "./screen-notices";
import { OpenSaves } from "./open-saves";
import { registerAddress, ScreenActions, WebhooksHeader } from "./webhooks-header";
import { SavedNotice, type Done } from "@/components/webhooks/editor/saved-notice";
import { UnrecognisedItems, WebhookCards } from "./webhook-cards";

type WebhooksScreenProps = {
  /** The configuration that came with the page; a page from the browser's cache has an older one. */
  initial: Configuration;
  role: "viewer" | "editor" | "admin";
  viewerId: string;
  /** Why nobody may change anything here, whatever their role. */
  readOnlyReason?: string;
  allowPrivateTargets: boolean;
  endpointChecks: EndpointChecks;
  /** The other environments, by the operator's names. */
  otherEnvironments: readonly string[];
  /** The names of the partner's admins, for a viewer to ask. */
  admins: readonly string[];
};

export function WebhooksScreen(props: WebhooksScreenProps) {
  const { configuration, failure, old, asking, refresh } = useConfiguration(props.initial);
  const { role, readOnlyReason, allowPrivateTargets } = props;
  const t = useTranslations("webhooks");
  const noticeId = useId();
  const [done, setDone] = useState<Done | null>(null);
  const mayWrite = role !== "viewer" && readOnlyReason === undefined;
  const editing: Editing = !mayWrite
    ? { allowed: false, reason: "role" }
    : old
      ? { allowed: false, reason: "old", noticeId }
      : { allowed: true };
  const sheet = useOpenSheet(editing.allowed);
  const reveal = useOpenReveal();
  const endpoints = useEndpointChecks(props.endpointChecks, configuration.revision);

  const aged = useIsLongAgo(configuration.confirmedAt, oldAfterMs);
  const time = () => <RelativeTime at={configuration.confirmedAt} />;
  return (
    <EditingContext value={{ editing, open: sheet.show }}>
      <div className="flex flex-col gap-6">
        <WebhooksHeader
          confirmation={
            <>
              {t.rich(old || aged ? "lastConfirmed" : "confirmed", { time })}{" "}
              {aged && asking ? t("askingAgain") : null}
            </>
          }
          actions={
            <ScreenActions
              onRefresh={refresh}
              register={registerAddress(configuration)}
              filled={
                configuration.webhooks.length < webhookTypes.length &&
                !configuration.outside &&
                !configuration.proposals?.length
              }
            />
          }
        />
        <SavedNotice
          result={sheet.open ? null : done}
          configuration={configuration}
          onDismiss={() => setDone(null)}
        />
        <OutsideBanner configuration={configuration} mayAnswer={mayWrite} />
        <Proposals
          configuration={configuration}
          old={old}
          decider={mayWrite ? props.viewerId : null}
          isMain={!configuration.outside}
          onDone={setDone}
        />
        <OpenSaves configuration={configuration} onEnded={setDone} />
        {old ? <StaleNotice id={noticeId} configuration={configuration} failure={failure} /> : null}
        {configuration.unclear && !old ? (
          <Notice tone="warn" title={t("unclear")}>
            {t("confirm.unclear_not_found")}
          </Notice>
        ) : null}
        {mayWrite ? null : (
          <Hint icon={Eye}>{readOnlyReason ?? <WhoCan admins={props.admins} />}</Hint>
        )}
        <WebhookCards
          configuration={configuration}
          old={old}
          newAddresses={done && "requestId" in done && !sheet.open ? newAddresses(done) : []}
          onReveal={role === "admin" && mayWrite ? reveal.show : undefined}
          endpointOf={endpoints.endpointOf}
          otherEnvironments={mayWrite ? props.otherEnvironments : []}
        />
        {configuration.webhooks.length > 0 ? (
          <p className="-mt-3 text-small text-ink-3">{t("nothingDeletable")}</p>
        ) : null}
        <UnrecognisedItems items={configuration.unrecognised ?? []} />
        {sheet.open ? (
          <WebhookSheet
            key={JSON.stringify(sheet.open)}
            address={sheet.open}
            configuration={configuration}
            isAdmin={role === "admin"}
            policy={{ allowPrivateTargets }}
            endpointChecks={props.endpointChecks}
            sheetState={sheet}
            onClose={sheet.close}
            onDone={setDone}
          />
        ) : null}
        {endpoints.dailyDialog}
        {endpoints.panel}
        {reveal.open ? (
          <RevealDialog {...reveal.open} onProof={reveal.recordProof} onClose={reveal.close} />
        ) : null}
      </div>
    </EditingContext>
  );
}

/** Says whom to ask for a change. */
function WhoCan({ admins }: { admins: readonly string[] }) {
  const t = useTranslations("webhooks.readOnly");
  const { partner } = useHere();
  const names = useFormatter().list(admins, { type: "disjunction" });
  return admins.length > 0 ? t("ask", { names }) : t("viewer", { partner: partner.name });
}

/** The page before the payment service answers: its header, and placeholders for the rest. */
export function WebhooksSkeleton() {
  const t = useTranslations("webhooks");
  return (
    <div className="flex flex-col gap-6">
      <WebhooksHeader confirmation={t("loading")} actions={<Skeleton className="h-9 sm:w-70" />} />
      <div className="grid gap-4 md:grid-cols-2">
        {webhookTypes.map((type) => (
          <Skeleton key={type} className="h-92" />
        ))}
      </div>
    </div>
  );
}
