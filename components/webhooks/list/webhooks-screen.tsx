"use client";

import { useHere } from "@/components/layout/here";
import { Hint } from "@/components/ui/hint";
import {
  type EndpointChecks,
  useEndpointChecks,
} from "@/components/endpoint-check/use-endpoint-checks";
import { CapturePart } from "@/components/capture/capture-part";
import { Notice } from "@/components/ui/notice";
import { Skeleton } from "@/components/ui/skeleton";
import type { Configuration } from "@/lib/webhooks/model/configuration";
import { useConfiguration } from "@/lib/webhooks/client/use-configuration";
import { webhookTypes } from "@/lib/platform/payment-service/contract/terms";
import { Eye } from "lucide-react";
import { useFormatter, useTranslations } from "next-intl";
import dynamic from "next/dynamic";
import { useId, useState } from "react";
import { EditingContext, type Editing } from "./edit-button";
import { AttentionList } from "@/components/webhooks/attention/attention-list";
import { useAttentionItems } from "@/components/webhooks/attention/use-attention-items";
import type { Attention } from "@/lib/attention/model/answer";
import { RevealDialog, useOpenReveal } from "@/components/webhooks/reveal/reveal-button";
import { WebhookSheet, useOpenSheet } from "@/components/webhooks/editor/open-sheet";
import { StaleNotice } from "./screen-notices";
import { OpenSaves } from "./open-saves";
import { registerAddress, ScreenActions, WebhooksHeader } from "./webhooks-header";
import { SavedNotice, type Done } from "@/components/webhooks/editor/saved-notice";
import { ReadAge } from "./read-age";
import { UnrecognisedItems, WebhookCards } from "./webhook-cards";
import { AppearingPart } from "@/components/layout/lasting-boundary";
import { isNew } from "@/lib/webhooks/model/registered";
import { useProductionEnvironments } from "@/components/layout/nav/environment-badge";

/** Loaded only where somebody begins. Without it, the header registers a webhook all the same. */
const FirstHour = dynamic(() =>
  import("@/components/first-hour/first-hour").then(
    (module) => module.FirstHour,
    () => () => null,
  ),
);

/** Loaded once a value was replaced. Without it, the cards check their endpoints. */
const Rotated = dynamic(() =>
  import("@/components/first-hour/proof").then(
    (module) => module.Rotated,
    () => () => null,
  ),
);

type WebhooksScreenProps = {
  /** The configuration that came with the page; a page from the browser's cache has an older one. */
  initial: Configuration;
  /** What the server still reads; null: `initial` is that. */
  reading: Promise<Configuration | null> | null;
  attention: Attention;
  role: "viewer" | "editor" | "admin";
  /** Why nobody may change anything here, whatever their role. */
  readOnlyReason?: string;
  allowPrivateTargets: boolean;
  endpointChecks: EndpointChecks;
  /** What the operator adds for developers. */
  receiverNote: string | null;
  /** The other environments, by the operator's names. */
  otherEnvironments: readonly string[];
  /** The names of the partner's admins, for a viewer to ask. */
  admins: readonly string[];
};

export function WebhooksScreen(props: WebhooksScreenProps) {
  const read = useConfiguration(props.initial, props.reading);
  const { configuration, failure, old, refresh } = read;
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

  const checkedAt = endpoints.checkedAt(configuration.webhooks);
  const all = useAttentionItems(props.attention, configuration, checkedAt);
  // Once begun, the path leads on to what proves the receiver.
  const [begun, setBegun] = useState(false);
  const isBeginning = isNew(configuration);
  const isOnPath = isBeginning || begun;
  const items = isOnPath ? all.filter(({ kind }) => kind !== "not_registered") : all;
  const next = useNextProduction(props.attention);
  function finish(result: Done) {
    setDone(result);
    if (isBeginning) setBegun(true);
  }
  return (
    <EditingContext value={{ editing, open: sheet.show }}>
      <div className="flex flex-col gap-4">
        <WebhooksHeader
          age={<ReadAge {...read} />}
          actions={
            <ScreenActions
              onRefresh={refresh}
              register={registerAddress(configuration)}
              filled={
                configuration.webhooks.length < webhookTypes.length &&
                !configuration.outside &&
                !isOnPath
              }
            />
          }
        />
        <SavedNotice
          result={sheet.open ? null : done}
          configuration={configuration}
          left={
            done && "results" in done && done.outcome === "saved" && done.rotates ? (
              <Rotated
                types={done.results.map(({ type }) => type)}
                configuration={configuration}
                checks={props.endpointChecks}
              />
            ) : null
          }
          onDismiss={() => setDone(null)}
        />
        <AttentionList
          items={items}
          configuration={configuration}
          old={old}
          mayWrite={mayWrite}
          mayConnect={mayWrite && role === "admin"}
          isMember={readOnlyReason === undefined}
          checkedAt={checkedAt}
          beginning={isOnPath}
        />
        <OpenSaves configuration={configuration} onNews={setDone} />
        {configuration.unclear && !old ? (
          <Notice tone="warn" title={t("unclear")}>
            {t("confirm.unclear_not_found")}
          </Notice>
        ) : null}
        {mayWrite ? null : (
          <Hint icon={Eye}>{readOnlyReason ?? <WhoCan admins={props.admins} />}</Hint>
        )}
        <AppearingPart>
          {isOnPath ? (
            <FirstHour
              configuration={configuration}
              endpointChecks={props.endpointChecks}
              receiverNote={props.receiverNote}
              mayWrite={mayWrite}
              maySwitch={mayWrite && role === "admin"}
              next={next}
            />
          ) : null}
        </AppearingPart>
        {isBeginning ? null : (
          <WebhookCards
            configuration={configuration}
            onReveal={role === "admin" && mayWrite ? reveal.show : undefined}
            endpointOf={endpoints.endpointOf}
            exposed={items.flatMap((item) => (item.kind === "exposed" ? item.types : []))}
            otherEnvironments={mayWrite ? props.otherEnvironments : []}
          />
        )}
        <UnrecognisedItems items={configuration.unrecognised ?? []} />
        <CapturePart configuration={configuration} maySwitch={mayWrite && role === "admin"} />
        {old ? <StaleNotice id={noticeId} configuration={configuration} failure={failure} /> : null}
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
            onDone={finish}
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

/** Production, where it is another environment than this one and nothing is known to be registered there. */
function useNextProduction({ environments }: Attention): string | null {
  const { environment: here } = useHere();
  const production = useProductionEnvironments();
  if (production.includes(here)) return null;
  const next = environments.find(
    ({ environment, epoch, items }) =>
      production.includes(environment) &&
      (epoch === 0 ||
        items.some(
          (item) => item.kind === "not_registered" && item.types.length === webhookTypes.length,
        )),
  );
  return next?.environment ?? null;
}

/** Says whom to ask for a change. */
function WhoCan({ admins }: { admins: readonly string[] }) {
  const t = useTranslations("webhooks.readOnly");
  const { partner } = useHere();
  const names = useFormatter().list(admins, { type: "disjunction" });
  return (
    <span>{admins.length > 0 ? t("ask", { names }) : t("viewer", { partner: partner.name })}</span>
  );
}

/** The page before the payment service answers: its header, and placeholders for the rest. */
export function WebhooksSkeleton() {
  const t = useTranslations("webhooks");
  return (
    <div className="flex flex-col gap-4">
      <WebhooksHeader
        age={
          <div className="max-sm:basis-full">
            <Skeleton className="h-5 w-32" />
          </div>
        }
        actions={<Skeleton className="h-9 sm:w-70" />}
      />
      <p className="sr-only">{t("loading")}</p>
      <Skeleton className="h-13" />
      <div className="grid gap-4 md:grid-cols-2">
        {webhookTypes.map((type) => (
          <Skeleton key={type} className="h-68" />
        ))}
      </div>
    </div>
  );
}
