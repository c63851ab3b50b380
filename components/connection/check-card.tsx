"use client";

import { Section } from "@/components/ui/section";
import { usePersonName } from "@/components/ui/person-name";
import { Button } from "@/components/ui/button";
import { Notice } from "@/components/ui/notice";
import { AbsoluteTime, RelativeTime } from "@/components/ui/time";
import { FailureText } from "@/components/forms/failure-notice";
import type { Connection } from "@/lib/connection/model/connection";
import { useCheck } from "@/lib/connection/client/use-connection";
import { Plug, PlugZap } from "lucide-react";
import { useTranslations } from "next-intl";
import { useId } from "react";
import { Diagnosis } from "./diagnosis";

type CheckCardProps = { connection: Connection; mayWrite: boolean };

/** Whether the credentials in use work, by the last check, and a button to check again. */
export function CheckCard({ connection, mayWrite }: CheckCardProps) {
  const t = useTranslations("connection.check");
  const reasonId = useId();
  const check = useCheck(connection.partner, connection.environment);
  const connected = connection.clientId !== null;
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
        <LastCheck connection={connection} />
      </div>
    </Section>
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
          {t("never")}
        </p>
        <p className="text-ink-2">{t("neverText")}</p>
      </div>
    );
  }
  const { code, requestId, retryAt, upstreamStatus, upstreamText } = lastCheck;
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
              <p>{words.rich("retryAt", { time: () => <AbsoluteTime at={retryAt} ahead /> })}</p>
            )}
            {upstreamStatus === null ? null : (
              <p className="text-small text-ink-2">{words("status", { status: upstreamStatus })}</p>
            )}
          </Diagnosis>
        )}
      </Notice>
      <p className="text-small text-ink-3">{t.rich("by", { name: nameOf(lastCheck.by), time })}</p>
    </>
  );
}
