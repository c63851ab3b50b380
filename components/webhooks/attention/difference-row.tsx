"use client";

import { FailureNotice } from "@/components/forms/failure-notice";
import { Button } from "@/components/ui/button";
import { Disclosure } from "@/components/ui/disclosure";
import { usePersonName } from "@/components/ui/person-name";
import { Sentences } from "@/components/ui/sentences";
import { Host } from "@/components/webhooks/compare/address";
import { AbsoluteTime, ShortTime } from "@/components/ui/time";
import { ChangeDiff } from "@/components/webhooks/compare/diff-block";
import { EditButton } from "@/components/webhooks/list/edit-button";
import { listOf } from "@/components/webhooks/types-list";
import { isOnlyValue } from "@/lib/history/model/only-value";
import type { useAcknowledge } from "@/lib/webhooks/client/use-acknowledge";
import { sameShownVersion, shownVersionInHistory } from "@/lib/webhooks/model/compare";
import type { Configuration, OutsideChange } from "@/lib/webhooks/model/configuration";
import { outsideVersions, restoringSheets } from "@/lib/webhooks/model/draft";
import { exposureOf } from "@/lib/webhooks/model/exposure";
import { TriangleAlert, Undo2 } from "lucide-react";
import { useFormatter, useTranslations } from "next-intl";
import type { AttentionItem } from "@/lib/attention/model/answer";
import type { WebhookType } from "@/lib/platform/payment-service/contract/terms";
import { AttentionRow } from "@/components/attention/attention-row";
import { IncidentStepList } from "./incident";

type DifferenceRowProps = {
  item: Extract<AttentionItem, { kind: "difference" }>;
  /** The types whose value in use is exposed. */
  exposed: readonly WebhookType[];
  configuration: Configuration;
  mayConnect: boolean;
  /** Whether this person may acknowledge it and restore what was registered. */
  mayAnswer: boolean;
  acknowledging: ReturnType<typeof useAcknowledge>;
};

/** A difference that no save here asked for, until somebody acknowledges it or a later save answers it. */
export function DifferenceRow(props: DifferenceRowProps) {
  const { item, exposed, configuration, mayAnswer, mayConnect, acknowledging } = props;
  const t = useTranslations("webhooks");
  const rows = useTranslations("attention");
  const all = useTranslations();
  const format = useFormatter();
  const nameOf = usePersonName();
  const changes = configuration.outside ?? [];
  const changed = changes.map(({ type }) => type);
  const exposure = exposureOf(configuration, changed);
  const sheets = sheetsFor(configuration, exposed);
  const kind = worstOf(changes);
  // The title is about the types of the worst kind; each other change has its own line.
  const titled = changes.filter((change) => kindOf(change) === kind);
  const others = changes.filter((change) => kindOf(change) !== kind);
  const otherwise = changes.filter((change) => isShownOtherwise(configuration, change));
  // Several types may have been asked for by several people.
  const asker = changes.length === 1 ? changes[0]?.askedBy : undefined;
  const mayBeShownOtherwise = changes.some((change) => change.mayBeShownOtherwise);
  const isBack = kind === "back";
  return (
    <AttentionRow
      icon={TriangleAlert}
      tone="bad"
      title={
        <Sentences
          of={[
            rows.rich(`rows.difference.${kind}`, {
              types: listOf(typesOf(titled), all),
              at: () => <ShortTime at={newestOf(titled)} />,
            }),
          ]}
        />
      }
      text={
        <Sentences
          of={[
            ...(kind === "address" ? titled : []).map((change) => (
              <Seen key={change.type} change={change} named={changes.length > 1} />
            )),
            otherwise.length > 0
              ? rows("rows.otherwise", { types: listOf(typesOf(otherwise), all) })
              : null,
            kind === "gone" ? t("outside.goneText") : null,
            isBack ? t("outside.isBack") : null,
            asker && !isBack
              ? t.rich("outside.askedBefore", {
                  name: nameOf(asker.name),
                  time: () => <AbsoluteTime at={asker.at} />,
                })
              : kind === "value"
                ? t(`outside.${mayBeShownOtherwise ? "either" : "value"}`)
                : null,
            // A row of its own says the rest.
            exposure && exposed.length === 0
              ? exposure.hosts.length > 0
                ? t("outside.exposed", { hosts: format.list(exposure.hosts) })
                : t("outside.exposedBack")
              : null,
            ...others.map((change) => (
              <Sentences
                key={change.type}
                of={[
                  rows.rich(`rows.difference.${kindOf(change)}`, {
                    types: listOf([change.type], all),
                    at: () => <ShortTime at={change.at} />,
                  }),
                ]}
              />
            )),
          ]}
        />
      }
      actions={
        mayAnswer ? (
          <>
            <Button
              size="sm"
              pending={acknowledging.pending}
              onClick={() => void acknowledging.send()}
            >
              {t("outside.ours")}
            </Button>
            {isBack
              ? null
              : sheets.map((sheet) => (
                  <EditButton
                    key={sheet.type}
                    opens={sheet}
                    size="sm"
                    variant={sheets.length > 1 ? "secondary" : "primary"}
                    icon={<Undo2 aria-hidden />}
                  >
                    {sheets.length > 1
                      ? t("outside.restoreType", { type: t(`types.${sheet.type}`) })
                      : t(sheet.type === "both" ? "outside.restoreBoth" : "outside.restore")}
                  </EditButton>
                ))}
          </>
        ) : null
      }
    >
      {item.steps ? (
        <IncidentStepList
          types={item.types}
          steps={item.steps}
          exposed={exposed}
          configuration={configuration}
          mayConnect={mayConnect}
        />
      ) : null}
      {isBack ? null : (
        <Disclosure summary={rows("before")}>
          <div className="flex max-w-3xl flex-col gap-2">
            {changes.map(({ type, before, after }) => (
              <ChangeDiff
                key={type}
                change={{ type, before, after, outcome: "seen" }}
                named={changes.length > 1}
              />
            ))}
          </div>
        </Disclosure>
      )}
      <FailureNotice failure={acknowledging.failure} unreachable={t("outside.unreachable")} />
    </AttentionRow>
  );
}

/**
 * What restores the addresses. Where the other type has the same address and the same exposed value, one sheet is for
 * both: a receiver that gets the new value for one type alone would refuse the other's messages.
 */
function sheetsFor(
  configuration: Configuration,
  exposed: readonly WebhookType[],
): ReturnType<typeof restoringSheets> {
  const versions = outsideVersions(configuration);
  const [only, ...others] = versions;
  const other = configuration.webhooks.find(({ type }) => type !== only?.type);
  const isForBoth =
    only !== undefined &&
    others.length === 0 &&
    exposed.length > 1 &&
    other?.callbackUrl === only.callbackUrl;
  return isForBoth
    ? [{ mode: "edit", type: "both", from: "previous" }]
    : restoringSheets(versions, "previous");
}

/** The worst first. */
const kinds = ["address", "gone", "value", "back"] as const;
type Kind = (typeof kinds)[number];

function worstOf(changes: readonly OutsideChange[]): Kind {
  return kinds.find((kind) => changes.some((change) => kindOf(change) === kind)) ?? "address";
}

function kindOf(change: OutsideChange): Kind {
  const { before, after, earlier } = change;
  if (sameShownVersion(shownVersionInHistory(before), shownVersionInHistory(after))) return "back";
  if (after === null) return "gone";
  return isOnlyValue(change) && !earlier ? "value" : "address";
}

function typesOf(changes: readonly OutsideChange[]): WebhookType[] {
  return changes.map(({ type }) => type);
}

function newestOf(changes: readonly OutsideChange[]): string {
  return (
    changes
      .map(({ at }) => at)
      .sort()
      .at(-1) ?? ""
  );
}

/** A later look showed something else, as where a save or a lagging replica is shown meanwhile. */
function isShownOtherwise({ webhooks }: Configuration, { type, after }: OutsideChange): boolean {
  const shown = webhooks.find((webhook) => webhook.type === type);
  return (shown?.callbackUrl ?? null) !== (after?.callbackUrl ?? null);
}

/** What was shown before and then, by host where that tells them apart. */
function Seen({ change, named }: { change: OutsideChange; named: boolean }) {
  const t = useTranslations();
  const { type, since, at } = change;
  const urls = [change.before, change.after].map((version) => version?.callbackUrl ?? null);
  const hosts = urls.map((url) => (url && URL.canParse(url) ? new URL(url).host : url));
  const [before, after] = hosts[0] === hosts[1] ? urls : hosts;
  const side = (name: string | null | undefined) => () =>
    name ? (
      <Host host={name} className="text-[0.8125rem] text-ink" />
    ) : (
      <span>{t("webhooks.conflict.notRegistered")}</span>
    );
  return (
    <Sentences
      of={[
        t.rich(`attention.rows.${named ? "seenOf" : "seen"}`, {
          type: t(`webhooks.types.${type}`),
          since: () => <ShortTime at={since} />,
          at: () => <ShortTime at={at} />,
          before: side(before),
          after: side(after),
        }),
      ]}
    />
  );
}
