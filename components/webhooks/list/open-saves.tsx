"use client";

import { listOf } from "@/components/webhooks/types-list";
import { useHere } from "@/components/layout/here";
import { FailureText } from "@/components/forms/failure-notice";
import { Button } from "@/components/ui/button";
import { yieldsFocus } from "@/components/ui/focus-content";
import { Notice } from "@/components/ui/notice";
import { ClockTime, RelativeTime } from "@/components/ui/time";
import type { Configuration, OpenSave, SaveResult } from "@/lib/webhooks/model/configuration";
import { useOperation } from "@/lib/webhooks/client/use-operation";
import type { RequestFailure } from "@/lib/platform/http/client/fetch-json";
import { Hourglass, RefreshCw } from "lucide-react";
import { useTranslations } from "next-intl";
import { useEffect, useEffectEvent, useRef, useState } from "react";
import type { Done } from "@/components/webhooks/editor/saved-notice";

type OpenSavesProps = {
  configuration: Configuration;
  /** Called when an open save has ended; returns the outcome that the page shows from then on. */
  onEnded: (next: (shown: Done | null) => Done | null) => void;
};

/** Lists the saves without a known outcome, for everybody who sees the cards. When one ends, reports its outcome. */
export function OpenSaves({ configuration, onEnded }: OpenSavesProps) {
  const { openSaves } = configuration;
  const readOperation = useOperation(useHere().ref);
  const before = useRef<readonly OpenSave[]>(openSaves);

  const reportEnd = useEffectEvent(async ({ operation, by }: OpenSave) => {
    const answer = await readOperation(operation);
    if (answer.kind !== "recorded" || answer.result.outcome === "waiting") return;
    const ended = answer.result;
    // It has not ended. A refused save is followed too, but counts as not saved and is not listed as open.
    if (ended.open && ended.outcome !== "not_saved") return;
    // The notice of this person's last action stays; the history has the other outcome.
    onEnded((shown) => (shown && !isEarlier(shown, operation) ? shown : { ...ended, by }));
  });
  useEffect(() => {
    const open = new Set(configuration.openSaves.map(({ operation }) => operation));
    const gone = before.current.filter(({ operation }) => !open.has(operation));
    before.current = configuration.openSaves;
    for (const save of gone) void reportEnd(save);
  }, [configuration]);

  return openSaves.map((save) => (
    <OpenSaveNotice key={save.operation} save={save} readOperation={readOperation} />
  ));
}

/** Whether the notice is about this save, as it was before it ended: waiting for approval, or open. */
function isEarlier(shown: Done, operation: string): boolean {
  if (!("operation" in shown) || shown.operation !== operation) return false;
  return shown.outcome === "waiting" || shown.open === true;
}

type OpenSaveNoticeProps = { save: OpenSave; readOperation: ReturnType<typeof useOperation> };

function OpenSaveNotice({ save, readOperation }: OpenSaveNoticeProps) {
  const t = useTranslations("webhooks");
  const [state, setState] = useState<"idle" | "checking" | "still_open" | RequestFailure>("idle");
  const { outcome, seen, by, at, until, types, requestId } = save;
  const all = useTranslations();

  async function check() {
    setState("checking");
    const answer = await readOperation(save.operation);
    // If the save has ended, this notice disappears.
    setState(answer.kind === "failed" ? answer.failure : "still_open");
  }

  return (
    <Notice
      tone="warn"
      icon={<Hourglass aria-hidden />}
      title={t(`result.${outcome}`)}
      actions={
        <Button
          ref={yieldsFocus}
          size="sm"
          icon={<RefreshCw aria-hidden />}
          pending={state === "checking"}
          onClick={() => void check()}
        >
          {t("result.checkAgain")}
        </Button>
      }
    >
      <p>
        {t.rich("open.by", {
          name: by,
          types: listOf(types, all),
          time: () => <RelativeTime at={at} />,
        })}{" "}
        {seen ? t("result.seen") : t(`open.${outcome}`)}{" "}
        {t.rich("result.keepsChecking", { time: () => <ClockTime at={until} ahead /> })}
      </p>
      <p className="mt-1 text-small text-ink-2">{t("result.requestId", { requestId })}</p>
      <div aria-live="polite" className="text-small text-ink-2 not-empty:mt-1">
        {typeof state === "object" ? (
          <FailureText failure={state} unreachable={t("open.state.failed")} />
        ) : state === "idle" ? null : (
          t(`open.state.${state}`)
        )}
      </div>
    </Notice>
  );
}

/** Says until when Gancho keeps checking a save, if it does. */
export function KeepsChecking({
  result,
}: {
  result: Pick<SaveResult, "operation" | "configuration">;
}) {
  const t = useTranslations("webhooks.result");
  const { operation, configuration } = result;
  const save = configuration?.openSaves.find((open) => open.operation === operation);
  if (!save) return null;
  return (
    <span>
      {save.seen ? `${t("seen")} ` : ""}
      {t.rich("keepsChecking", { time: () => <ClockTime at={save.until} ahead /> })}
    </span>
  );
}
