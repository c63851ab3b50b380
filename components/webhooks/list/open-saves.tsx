"use client";

import { listOf } from "@/components/webhooks/types-list";
import { Sentences } from "@/components/ui/sentences";
import { useHere } from "@/components/layout/here";
import { FailureText } from "@/components/forms/failure-notice";
import { Button } from "@/components/ui/button";
import { yieldsFocus } from "@/components/ui/focus-content";
import { Notice } from "@/components/ui/notice";
import { ClockTime, RelativeTime } from "@/components/ui/time";
import type { Configuration, OpenSave } from "@/lib/webhooks/model/configuration";
import { useOperation } from "@/lib/webhooks/client/use-operation";
import type { RequestFailure } from "@/lib/platform/http/client/fetch-json";
import { isLookedFor } from "@/lib/webhooks/model/save-end";
import { Hourglass, RefreshCw } from "lucide-react";
import { useTranslations } from "next-intl";
import { useEffect, useEffectEvent, useRef, useState } from "react";
import type { Done } from "@/components/webhooks/editor/saved-notice";

type OpenSavesProps = {
  configuration: Configuration;
  /** Called when more is known of an open save; returns what the page says of a save from then on. */
  onNews: (next: (shown: Done | null) => Done | null) => void;
};

/** Lists the saves that no look has shown in full, for everybody who sees the cards. Reports what becomes of them. */
export function OpenSaves({ configuration, onNews }: OpenSavesProps) {
  const { openSaves } = configuration;
  const readOperation = useOperation(useHere().ref);
  const before = useRef<readonly OpenSave[]>(openSaves);

  const report = useEffectEvent(async ({ operation, by }: OpenSave) => {
    const answer = await readOperation(operation);
    if (answer.kind !== "recorded" || answer.result.outcome === "waiting") return;
    const { result } = answer;
    onNews((shown) => {
      const isShown = shown !== null && isEarlier(shown, operation);
      // The list above the cards has those that are still looked for, so that their notice only says the same.
      if (isLookedFor(result)) return isShown ? { ...shown, ...result } : shown;
      // The notice of this person's last action stays; the history has the other outcome.
      return shown && !isShown ? shown : { ...result, by };
    });
  });
  useEffect(() => {
    const open = new Map(configuration.openSaves.map((save) => [save.operation, save.outcome]));
    const news = before.current.filter(({ operation, outcome }) => open.get(operation) !== outcome);
    before.current = configuration.openSaves;
    for (const save of news) void report(save);
  }, [configuration]);

  return openSaves.map((save) => (
    <OpenSaveNotice key={save.operation} save={save} readOperation={readOperation} />
  ));
}

/** Whether the notice is about this save, as it was before it ended: waiting for approval, or open. */
function isEarlier(shown: Done, operation: string): boolean {
  if (!("operation" in shown) || shown.operation !== operation) return false;
  return shown.outcome === "waiting" || isLookedFor(shown);
}

type OpenSaveNoticeProps = { save: OpenSave; readOperation: ReturnType<typeof useOperation> };

function OpenSaveNotice({ save, readOperation }: OpenSaveNoticeProps) {
  const t = useTranslations("webhooks");
  const [state, setState] = useState<"idle" | "checking" | "still_open" | RequestFailure>("idle");
  const { outcome, by, at, until, lookedAt, types, requestId } = save;
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
        <Sentences
          of={[
            t.rich("open.by", {
              name: by,
              types: listOf(types, all),
              time: () => <RelativeTime at={at} />,
            }),
            outcome === "partly" ? t("open.partly") : null,
            lookedAt === undefined
              ? t("result.said.notLooked")
              : t.rich("result.said.lookedAt", { looked: () => <ClockTime at={lookedAt} /> }),
            t.rich("result.said.until", { until: () => <ClockTime at={until} ahead /> }),
          ]}
        />
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
