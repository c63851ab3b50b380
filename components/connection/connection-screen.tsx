"use client";

import { WaitingChange } from "@/components/approvals/waiting-change";
import { Sentences } from "@/components/ui/sentences";
import { Fact } from "@/components/ui/fact";
import { Hint } from "@/components/ui/hint";
import { Section } from "@/components/ui/section";
import { useHere } from "@/components/layout/here";
import { PageHeader } from "@/components/layout/page-header";
import { connectionQuery } from "@/lib/connection/client/query";
import { useSuspenseQuery } from "@tanstack/react-query";
import { useTranslations } from "next-intl";
import { useState, useId, type ComponentProps } from "react";
import { CredentialsComparison, CredentialsDecision } from "./credentials-proposal";
import { CredentialsForm } from "./credentials-form";
import { CopyButton } from "@/components/ui/copy-button";
import { useAttention } from "@/components/attention/use-attention";
import type { AttentionItem } from "@/lib/attention/model/answer";
import { isProblemCode } from "@/lib/platform/http/model/problem-code";
import type { Connection } from "@/lib/connection/model/connection";
import { Eye, Plug, PlugZap } from "lucide-react";
import { CredentialsCard } from "./credentials-card";
import { SecretState } from "./secret-field";
import { usePersonName } from "@/components/ui/person-name";
import { Button } from "@/components/ui/button";
import { Notice } from "@/components/ui/notice";
import { AbsoluteTime, RelativeTime, ShortTime } from "@/components/ui/time";
import { FailureText } from "@/components/forms/failure-notice";
import { useCheck } from "@/lib/connection/client/use-connection";
import { Diagnosis } from "./diagnosis";
import { ResultNotice } from "@/components/forms/result-notice";
import { ButtonLink } from "@/components/ui/button-link";
import type { Saved } from "./saved";

type Deciding = Pick<ComponentProps<typeof CredentialsDecision>, "proposal" | "decision">;

type ConnectionScreenProps = {
  mayWrite: boolean;
  viewerId: string;
  /** Whoever comes here is to replace the secret. */
  replaces: boolean;
};

/** How Gancho authenticates with the payment service for a partner in one environment. */
export function ConnectionScreen({ mayWrite, viewerId, replaces }: ConnectionScreenProps) {
  const t = useTranslations();
  const { partner, environment, environmentName } = useHere();
  const [saved, setSaved] = useState<Saved | null>(null);
  const [deciding, setDeciding] = useState<Deciding | null>(null);
  const { data } = useSuspenseQuery(connectionQuery(partner.id, environment));
  const { proposal, lastCheck } = data;
  const failing = useFailing(data);
  const rejected =
    (failing?.code ?? (lastCheck?.current ? lastCheck.code : null)) === "credentials_rejected";
  return (
    <div className="flex flex-col gap-6">
      <PageHeader
        title={t("connection.title")}
        intro={t("connection.intro", { partner: partner.name, environment: environmentName })}
      />
      <SavedNotice saved={saved} onDismiss={() => setSaved(null)} />
      {proposal ? (
        <WaitingChange
          key={proposal.id}
          namespace="approvals.credentials"
          change={proposal}
          outdated={data.version !== proposal.baseVersion}
          decider={mayWrite ? viewerId : null}
          isMain
          onDecide={(decision) => setDeciding({ proposal, decision })}
        >
          <CredentialsComparison proposal={proposal} />
        </WaitingChange>
      ) : null}
      {deciding ? (
        <CredentialsDecision
          {...deciding}
          onDone={(result) => {
            setDeciding(null);
            setSaved(result);
          }}
          onClose={() => setDeciding(null)}
        />
      ) : null}
      <div className="grid items-start gap-4 xl:grid-cols-[minmax(0,3fr)_minmax(0,2fr)]">
        {mayWrite ? (
          <CredentialsForm
            connection={data}
            rejected={rejected}
            replaces={replaces}
            onSaved={(result) => {
              setSaved(result);
              // Whoever reloads the page now has replaced it.
              if (replaces && result.outcome === "saved")
                window.history.replaceState(null, "", window.location.pathname);
            }}
          />
        ) : (
          <CredentialsView connection={data} />
        )}
        <div className="grid gap-4">
          <CheckCard connection={data} mayWrite={mayWrite} />
          <FactsCard connection={data} />
        </div>
      </div>
    </div>
  );
}

/** For people who can see the credentials but not change them: says so, and who can. */
function CredentialsView({ connection }: { connection: Connection }) {
  const t = useTranslations();
  const { partner, environmentName: environment } = useHere();
  const { clientId } = connection;
  return (
    <CredentialsCard connection={connection}>
      {clientId === null ? null : (
        <dl className="flex flex-col gap-4">
          <Fact name={t("connection.credentials.clientId")}>
            <CopyableText text={clientId} copy={t("connection.credentials.copyClientId")} />
          </Fact>
          <Fact name={t("connection.credentials.clientSecret")}>
            <SecretState />
          </Fact>
        </dl>
      )}
      <Hint icon={Eye}>
        {clientId === null
          ? t("connection.credentials.noneReadOnly", { partner: partner.name, environment })
          : t("connection.credentials.readOnly", { partner: partner.name })}
      </Hint>
    </CredentialsCard>
  );
}

/** What the operator configured: the payment service's URL, and the IP address that Gancho calls it from. */
function FactsCard({ connection: { serviceUrl, publicAddress } }: { connection: Connection }) {
  const t = useTranslations("connection");
  return (
    <Section title={t("facts.title")}>
      <dl className="flex flex-col gap-3">
        <Fact name={t("facts.service")} hint={t("facts.serviceHint")}>
          <CopyableText text={serviceUrl} />
        </Fact>
        {publicAddress === null ? null : (
          <Fact name={t("facts.from")} hint={t("facts.fromHint")}>
            <CopyableText text={publicAddress} copy={t("diagnosis.address.copy")} />
          </Fact>
        )}
      </dl>
    </Section>
  );
}

/** A value to compare by eye. `copy` is the copy button's label; without it there is none. */
function CopyableText({ text, copy }: { text: string; copy?: string }) {
  return (
    <span className="flex min-h-6 items-center justify-between gap-2">
      <code translate="no" className="min-w-0 font-mono text-[0.8125rem] leading-5 break-all">
        {text}
      </code>
      {copy === undefined ? null : <CopyButton text={text} label={copy} />}
    </span>
  );
}

type CheckCardProps = { connection: Connection; mayWrite: boolean };

/** Whether the credentials worked in the last check, and a button to check again. */
function CheckCard({ connection, mayWrite }: CheckCardProps) {
  const t = useTranslations("connection.check");
  const reasonId = useId();
  const check = useCheck(connection.partner, connection.environment);
  const connected = connection.clientId !== null;
  const failing = useFailing(connection);
  return (
    <Section
      title={t("title")}
      footer={
        mayWrite ? (
          <>
            <p id={reasonId} className="min-w-0">
              {check.pending ? t("running") : connected ? null : t("notConnected")}
            </p>
            <Button
              size="sm"
              icon={<PlugZap aria-hidden />}
              pending={check.pending}
              disabled={!connected}
              {...(connected ? {} : { "aria-describedby": reasonId })}
              onClick={() => void check.send()}
            >
              {t("button")}
            </Button>
          </>
        ) : null
      }
    >
      <div role="status" aria-busy={check.pending} className="flex flex-col gap-3">
        {check.failure ? (
          <Notice tone="warn" title={t("notRun")}>
            <FailureText failure={check.failure} unreachable={t("noAnswer")} />
          </Notice>
        ) : null}
        {failing ? <FailingReadings failing={failing} connection={connection} /> : null}
        {failing && !connection.lastCheck ? null : <LastCheck connection={connection} />}
      </div>
    </Section>
  );
}

type Failing = Extract<AttentionItem, { kind: "failing" }>;

/** That readings fail, unless a check has said more since. */
function useFailing({ partner, environment, lastCheck }: Connection): Failing | null {
  const items = useAttention(partner, environment) ?? [];
  const failing = items.find((item) => item.kind === "failing");
  return failing && !(lastCheck?.current && lastCheck.at > failing.since) ? failing : null;
}

type FailingReadingsProps = { failing: Failing; connection: Connection };

/** What readings say of the connection, whether or not anybody has checked it. */
function FailingReadings({ failing: { code, since }, connection }: FailingReadingsProps) {
  const t = useTranslations("connection.check");
  return (
    <Notice
      tone="bad"
      title={<Sentences of={[t.rich("failing", { time: () => <ShortTime at={since} /> })]} />}
    >
      {isProblemCode(code) ? (
        <Diagnosis problem={{ code }} publicAddress={connection.publicAddress} />
      ) : null}
    </Notice>
  );
}

function LastCheck({ connection: { lastCheck, publicAddress } }: { connection: Connection }) {
  const nameOf = usePersonName();
  const words = useTranslations("connection.diagnosis");
  const t = useTranslations("connection.check");
  if (!lastCheck) {
    return (
      <div className="flex flex-col gap-1">
        <p className="flex items-center gap-2 font-medium text-ink-2">
          <Plug aria-hidden className="size-4" />
          <span>{t("never")}</span>
        </p>
        <p className="text-ink-2">{t("neverText")}</p>
      </div>
    );
  }
  const { by, code, requestId, retryAt, upstreamStatus, upstreamText } = lastCheck;
  const time = () => <RelativeTime at={lastCheck.at} />;
  const tone = !lastCheck.current ? "info" : lastCheck.ok ? "ok" : "bad";
  return (
    <>
      <Notice tone={tone} title={t(lastCheck.ok ? "works" : "fails")}>
        {lastCheck.current ? null : <p className="mb-2">{t("old")}</p>}
        {code === null ? (
          <p>{t("worksText")}</p>
        ) : (
          <Diagnosis
            problem={{ code, requestId, ...(upstreamText !== null && { detail: upstreamText }) }}
            publicAddress={publicAddress}
          >
            {retryAt === null ? null : (
              <p>
                <Sentences
                  of={[words.rich("retryAt", { time: () => <AbsoluteTime at={retryAt} ahead /> })]}
                />
              </p>
            )}
            {upstreamStatus === null ? null : (
              <p className="text-small text-ink-2">{words("status", { status: upstreamStatus })}</p>
            )}
          </Diagnosis>
        )}
      </Notice>
      <p className="text-small text-ink-3">
        <Sentences
          of={[
            by === null ? t.rich("byOperator", { time }) : t.rich("by", { name: nameOf(by), time }),
          ]}
        />
      </p>
    </>
  );
}

type SavedNoticeProps = { saved: Saved | null; onDismiss: () => void };

function SavedNotice({ saved, onDismiss }: SavedNoticeProps) {
  const t = useTranslations("connection.saved");
  const words = useTranslations("approvals.credentials");
  const { environmentName: environment } = useHere();
  function noticeFor(result: Saved): ComponentProps<typeof ResultNotice>["result"] {
    if (result.outcome === "waiting")
      return { tone: "info", title: words("sent"), children: words("sentText") };
    if (result.outcome === "unchanged")
      return { tone: "info", title: t("unchanged"), children: t("unchangedText") };
    if (result.outcome !== "saved")
      return { tone: "info", title: words(`done.${result.outcome}`), children: null };
    const { connection, isFirst } = result;
    if (connection.lastCheck?.ok !== true)
      return { tone: "warn", title: t("unchecked"), children: t("uncheckedText", { environment }) };
    const href = `/partners/${connection.partner}/${connection.environment}/webhooks`;
    return {
      tone: "ok",
      title: t(isFirst ? "connected" : "replaced"),
      children: null,
      actions: (
        <ButtonLink size="sm" href={href}>
          {t("see")}
        </ButtonLink>
      ),
    };
  }
  return <ResultNotice result={saved && noticeFor(saved)} onDismiss={onDismiss} />;
}
