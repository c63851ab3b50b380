"use client";

import { CopyButton } from "@/components/ui/copy-button";
import { AbsoluteTime } from "@/components/ui/time";
import type { ConnectionCheck } from "@/lib/connection/model/connection";
import type { ClientProblem } from "@/lib/platform/http/client/fetch-json";
import type { ProblemCode } from "@/lib/platform/http/model/problem";
import { useTranslations } from "next-intl";

/** Why credentials do not work, whether a check or a refused replacement showed it. */
export type Finding = {
  code: ProblemCode;
  /** The service's message, and its HTTP status. */
  text: string | null;
  status: number | null;
  retry: { at: string } | { seconds: number } | null;
  requestId: string;
};

/** null for a check that found nothing wrong. */
export function findingOf(check: ConnectionCheck): Finding | null {
  if (check.code === null) return null;
  return {
    code: check.code,
    text: check.upstreamText,
    status: check.upstreamStatus,
    retry: check.retryAt === null ? null : { at: check.retryAt },
    requestId: check.requestId,
  };
}

export function findingOfProblem({ code, detail, retryAfter, requestId }: ClientProblem): Finding {
  const retry = retryAfter === undefined ? null : { seconds: retryAfter };
  return { code, text: detail ?? null, status: null, retry, requestId };
}

type DiagnosisProps = {
  finding: Finding;
  /** The address that Gancho calls from, if the operator has configured it. */
  publicAddress: string | null;
};

/** What is wrong in plain words, what to do about it, and what to quote. */
export function Diagnosis({ finding, publicAddress }: DiagnosisProps) {
  const t = useTranslations();
  const { text, status, retry, requestId } = finding;
  return (
    <div className="flex flex-col gap-2">
      <WhatToDo code={finding.code} publicAddress={publicAddress} />
      {text ? <p>{t("connection.diagnosis.said", { text })}</p> : null}
      {retry ? (
        <p>
          {"at" in retry
            ? t.rich("connection.diagnosis.retryAt", {
                time: () => <AbsoluteTime at={retry.at} ahead />,
              })
            : t("problems.retryAfter", { seconds: retry.seconds })}
        </p>
      ) : null}
      <p className="text-small text-ink-2">
        {status === null ? null : <>{t("connection.diagnosis.status", { status })} · </>}
        {t("problems.requestId", { requestId })}
      </p>
    </div>
  );
}

function WhatToDo({ code, publicAddress }: { code: ProblemCode; publicAddress: string | null }) {
  const t = useTranslations();
  if (code === "credentials_rejected") return <RejectedCredentials />;
  if (code === "ip_not_allowed") return <AddressNotAllowed address={publicAddress} />;
  return (
    <>
      <p>{t(`problems.${code}.title`)}</p>
      <p>{t(`problems.${code}.next`)}</p>
    </>
  );
}

/** The service answers the same for all three (contract 7.1), so none of them can be left out. */
function RejectedCredentials() {
  const t = useTranslations("connection.diagnosis.credentials");
  return (
    <>
      <p>
        {t("title")} {t("which")}
      </p>
      <ul className="list-disc space-y-0.5 pl-5">
        <li>{t("clientId")}</li>
        <li>{t("clientSecret")}</li>
        <li>{t("inactive")}</li>
      </ul>
    </>
  );
}

function AddressNotAllowed({ address }: { address: string | null }) {
  const t = useTranslations();
  return (
    <>
      <p>{t("connection.diagnosis.address.title")}</p>
      {address === null ? (
        <p>{t("connection.diagnosis.address.unknown")}</p>
      ) : (
        <>
          <p>{t("connection.diagnosis.address.known")}</p>
          <p className="flex items-center gap-2">
            <code className="min-w-0 font-mono text-[0.8125rem] break-all">{address}</code>
            <CopyButton text={address} label={t("connection.diagnosis.address.copy")} />
          </p>
        </>
      )}
    </>
  );
}
