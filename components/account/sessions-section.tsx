"use client";

import { Badge } from "@/components/ui/badge";
import { Sentences } from "@/components/ui/sentences";
import { Button } from "@/components/ui/button";
import { ConfirmDialog } from "@/components/ui/confirm-dialog";
import { yieldsFocus } from "@/components/ui/focus-content";
import { ResultNotice } from "@/components/forms/result-notice";
import { AbsoluteTime, RelativeTime } from "@/components/ui/time";
import { endedSessionsSchema, type AccountSession } from "@/lib/account/model/account";
import { Monitor } from "lucide-react";
import { useTranslations } from "next-intl";
import { useState } from "react";
import { Section } from "@/components/ui/section";
import { AccountLine } from "./account-line";
import { useAccountChange } from "@/lib/account/client/use-account-change";

type SessionsSectionProps = {
  sessions: readonly AccountSession[];
  /** Whether the person has a password in Gancho, or signs in elsewhere. */
  password: "here" | "elsewhere";
};

/** Where the person is signed in, and how to end it. */
export function SessionsSection({ sessions, password }: SessionsSectionProps) {
  const t = useTranslations();
  const { pending, failure, send } = useAccountChange(endedSessionsSchema);
  const [confirming, setConfirming] = useState<Which | null>(null);
  const [ended, setEnded] = useState<number | null>(null);

  async function end({ which, key }: Which) {
    setEnded(null);
    const body = { which, ...(key && { key }) };
    const answer = await send({ path: "sessions", method: "DELETE", body });
    // A full page load, so that nothing of the session stays in memory.
    if (answer?.kind === "done" && which === "all") return location.assign("/sign-in");
    setConfirming(null);
    setEnded(answer?.kind === "done" ? answer.result.ended : null);
  }

  return (
    <Section
      anchor="sessions"
      title={t("account.sessions.title")}
      text={t("account.sessions.text", { password })}
    >
      <ResultNotice
        result={
          ended === null
            ? { failure }
            : { tone: "ok", children: t("account.sessions.ended", { count: ended }) }
        }
      />
      <ul className="flex flex-col divide-y divide-line rounded-card border border-line">
        {sessions.map((session) => (
          <SessionLine
            key={session.key}
            session={session}
            onEnd={() => setConfirming({ which: "one", key: session.key })}
          />
        ))}
      </ul>
      <div className="flex flex-wrap gap-2">
        {sessions.length > 1 ? (
          <Button ref={yieldsFocus} onClick={() => setConfirming({ which: "others" })}>
            {t("account.sessions.endOthers")}
          </Button>
        ) : null}
        <Button onClick={() => setConfirming({ which: "all" })}>
          {t("account.sessions.endAll")}
        </Button>
      </div>
      {confirming ? (
        <ConfirmDialog
          tone="danger"
          title={t(`account.sessions.confirm.${confirming.which}.title`)}
          confirmLabel={t(`account.sessions.confirm.${confirming.which}.confirm`)}
          pending={pending}
          onConfirm={() => void end(confirming)}
          onClose={() => setConfirming(null)}
        >
          {t(`account.sessions.confirm.${confirming.which}.text`)}
        </ConfirmDialog>
      ) : null}
    </Section>
  );
}

/** The sessions to end. */
type Which = { which: "others" | "all" | "one"; key?: string };

function SessionLine({ session, onEnd }: { session: AccountSession; onEnd: () => void }) {
  const t = useTranslations("account.sessions");
  const { browser, system, address, here, lastUsedAt, signedInAt } = session;
  const device =
    browser && system ? t("device", { browser, system }) : (browser ?? system ?? t("unknown"));
  return (
    <AccountLine
      icon={Monitor}
      title={
        <>
          <span>{device}</span>
          {here ? <Badge tone="ok">{t("here")}</Badge> : null}
        </>
      }
      facts={
        <>
          <span>
            <Sentences
              of={[t.rich("signedIn", { time: () => <AbsoluteTime at={signedInAt} /> })]}
            />
          </span>
          <span>
            <Sentences
              of={[t.rich("lastUsed", { time: () => <RelativeTime at={lastUsedAt} /> })]}
            />
          </span>
          {address ? <span>{t("address", { address })}</span> : null}
        </>
      }
    >
      {here ? null : (
        <Button ref={yieldsFocus} size="sm" aria-label={t("endOne", { device })} onClick={onEnd}>
          {t("end")}
        </Button>
      )}
    </AccountLine>
  );
}
