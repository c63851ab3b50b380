"use client";

import { ResultNotice } from "@/components/forms/result-notice";
import { useHere } from "@/components/layout/here";
import { useEnvironmentName } from "@/components/layout/nav/environment-name";
import { ButtonLink } from "@/components/ui/button-link";
import { usePersonName } from "@/components/ui/person-name";
import { Sentences } from "@/components/ui/sentences";
import { ShortTime } from "@/components/ui/time";
import { EditButton } from "@/components/webhooks/list/edit-button";
import { listOf } from "@/components/webhooks/types-list";
import type { AttentionItem } from "@/lib/attention/model/answer";
import { toneOf } from "@/lib/attention/model/tone";
import { webhookOf } from "@/lib/webhooks/model/registered";
import { useAcknowledge } from "@/lib/webhooks/client/use-acknowledge";
import type { Configuration } from "@/lib/webhooks/model/configuration";
import {
  Activity,
  CircleDashed,
  CircleQuestionMark,
  Clock,
  Copy,
  Hourglass,
  KeyRound,
  ShieldOff,
  TriangleAlert,
  UserX,
  type LucideIcon,
} from "lucide-react";
import { useTranslations } from "next-intl";
import type { ReactNode } from "react";
import { AttentionRow } from "@/components/attention/attention-row";
import { DifferenceRow } from "./difference-row";
import { RecoveringRow } from "./incident";

type AttentionRowsProps = {
  items: readonly AttentionItem[];
  configuration: Configuration;
  mayWrite: boolean;
  mayConnect: boolean;
  /** Support sees no approvals. */
  isMember: boolean;
};

/** What needs attention, the worst first: one row each, with at most one way on. */
export function AttentionRows(props: AttentionRowsProps) {
  const { items, configuration, mayWrite, mayConnect, isMember } = props;
  const t = useTranslations();
  const acknowledging = useAcknowledge(useHere().ref, configuration.outside ?? []);
  const exposed = items.flatMap((item) => (item.kind === "exposed" ? item.types : []));
  const rowOf = (item: AttentionItem) => {
    switch (item.kind) {
      case "difference":
        return configuration.outside ? (
          <DifferenceRow
            item={item}
            exposed={exposed}
            configuration={configuration}
            mayAnswer={mayWrite}
            mayConnect={mayConnect}
            acknowledging={acknowledging}
          />
        ) : null;
      case "recovering":
        return (
          <RecoveringRow
            item={item}
            exposed={exposed}
            configuration={configuration}
            mayWrite={mayWrite}
            mayConnect={mayConnect}
          />
        );
      case "exposed":
        return <ExposedRow item={item} configuration={configuration} mayWrite={mayWrite} />;
      case "waiting":
        return <WaitingRow item={item} configuration={configuration} isMember={isMember} />;
      default:
        return <PlainRow item={item} mayWrite={mayWrite} />;
    }
  };
  const rows = items.flatMap((item, at) => {
    const row = rowOf(item);
    return row ? [<li key={`${item.kind} ${at}`}>{row}</li>] : [];
  });
  return (
    <>
      {acknowledging.done && !configuration.outside ? (
        <ResultNotice
          result={{
            tone: "ok",
            title: t("webhooks.outside.answered"),
            children: t("webhooks.outside.answeredText"),
          }}
          takesFocus
        />
      ) : null}
      {rows.length > 0 ? (
        <section
          aria-label={t("attention.title")}
          className="rounded-card border border-line bg-surface shadow-card"
        >
          <ul className="divide-y divide-line">{rows}</ul>
        </section>
      ) : null}
    </>
  );
}

type ExposedRowProps = {
  item: Extract<AttentionItem, { kind: "exposed" }>;
  configuration: Configuration;
  mayWrite: boolean;
};

/** A secret in use that others may know. While a difference is open, restoring what was registered replaces it. */
function ExposedRow({ item: { types }, configuration, mayWrite }: ExposedRowProps) {
  const t = useTranslations();
  const urls = new Set(types.map((type) => webhookOf(configuration, type)?.callbackUrl));
  const sheets = types.length > 1 && urls.size === 1 ? (["both"] as const) : types;
  return (
    <AttentionRow
      icon={KeyRound}
      tone="bad"
      title={t("attention.rows.exposed", {
        types: listOf(types, t),
        both: String(types.length > 1),
      })}
      // The difference above leads there.
      text={configuration.outside ? null : t("attention.rows.exposedText")}
      actions={
        mayWrite && !configuration.outside ? (
          <>
            {sheets.map((type) => (
              <EditButton key={type} opens={{ mode: "edit", type }} size="sm">
                {sheets.length > 1
                  ? t("attention.open.replaceOf", { type: t(`webhooks.types.${type}`) })
                  : t("attention.open.replace")}
              </EditButton>
            ))}
          </>
        ) : null
      }
    />
  );
}

type WaitingRowProps = {
  item: Extract<AttentionItem, { kind: "waiting" }>;
  configuration: Configuration;
  isMember: boolean;
};

function WaitingRow({ item, configuration, isMember }: WaitingRowProps) {
  const t = useTranslations();
  const nameOf = usePersonName();
  const { ref } = useHere();
  const isWebhooks = item.about === "webhooks";
  const proposal = configuration.proposals?.find(({ id }) => id === item.id);
  // Decided since.
  if (isWebhooks && !proposal) return null;
  const section = isWebhooks ? "approvals" : "connection";
  return (
    <AttentionRow
      icon={Hourglass}
      tone="info"
      title={
        isWebhooks
          ? t("attention.rows.waiting", { types: listOf(item.types, t) })
          : t("attention.rows.credentials")
      }
      text={
        proposal ? (
          <Sentences
            of={[
              t.rich(`attention.rows.waiting${proposal.reason === null ? "Text" : "Reason"}`, {
                name: nameOf(proposal.by.name),
                reason: proposal.reason ?? "",
                at: () => <ShortTime at={proposal.at} />,
              }),
            ]}
          />
        ) : null
      }
      actions={
        isMember || section === "connection" ? (
          <ButtonLink size="sm" href={`/partners/${ref.partner}/${ref.environment}/${section}`}>
            {t(`attention.open.${section}`)}
          </ButtonLink>
        ) : null
      }
    />
  );
}

type PlainItem = Exclude<
  AttentionItem,
  { kind: "difference" | "exposed" | "recovering" | "waiting" }
>;

const icons: Record<PlainItem["kind"], LucideIcon> = {
  failing: TriangleAlert,
  not_connected: CircleDashed,
  not_read: Clock,
  old: Clock,
  endpoint: Activity,
  certificate: Clock,
  no_value: ShieldOff,
  unclear: CircleQuestionMark,
  not_shown: CircleQuestionMark,
  not_registered: CircleDashed,
  shared: Copy,
  no_second_person: UserX,
};

function PlainRow({ item, mayWrite }: { item: PlainItem; mayWrite: boolean }) {
  const words = useWords(item);
  const t = useTranslations("attention.open");
  const [type] = "types" in item ? item.types : [];
  const fixes = item.kind === "no_value" || (item.kind === "shared" && item.what === "value");
  return (
    <AttentionRow
      icon={icons[item.kind]}
      tone={toneOf(item)}
      title={words.title}
      text={words.text}
      actions={
        fixes && type && mayWrite ? (
          <EditButton opens={{ mode: "edit", type }} size="sm">
            {t("value")}
          </EditButton>
        ) : null
      }
    />
  );
}

function useWords(item: PlainItem): { title: ReactNode; text?: ReactNode } {
  const all = useTranslations();
  const t = useTranslations("attention.rows");
  const environmentName = useEnvironmentName();
  const types = "types" in item ? listOf(item.types, all) : "";
  switch (item.kind) {
    case "failing":
      return {
        title: (
          <Sentences of={[t.rich("failing", { since: () => <ShortTime at={item.since} /> })]} />
        ),
      };
    case "old":
      return {
        title: <Sentences of={[t.rich("old", { at: () => <ShortTime at={item.readAt} /> })]} />,
        text: t("oldText"),
      };
    case "not_shown":
      return {
        title: t("not_shown", { types }),
        text: (
          <Sentences
            of={[
              t.rich("not_shownText", {
                at: () => <ShortTime at={item.at} />,
                until: () => <ShortTime at={item.until} />,
              }),
            ]}
          />
        ),
      };
    case "not_connected":
    case "not_read":
      return { title: t(item.kind) };
    case "endpoint":
      return {
        title: t("endpoint", { types }),
        text: all(`endpointCheck.verdict.${item.verdict}.title`),
      };
    case "certificate":
      return {
        title:
          item.days < 0
            ? t("certificateOver", { types })
            : t("certificate", { types, days: item.days }),
        text: t("certificateText"),
      };
    case "not_registered":
      return {
        title: t("not_registered", { types }),
        text: t("not_registeredText", { both: String(item.types.length > 1) }),
      };
    case "shared": {
      const environment = environmentName(item.environment);
      return {
        title: t(`shared.${item.what}`, { types, environment }),
        text: t(`sharedText.${item.what}`),
      };
    }
    default:
      return { title: t(item.kind, { types }), text: t(`${item.kind}Text`) };
  }
}
