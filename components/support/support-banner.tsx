"use client";

import { Button } from "@/components/ui/button";
import { Sentences } from "@/components/ui/sentences";
import { apiPath, sendJson, fetchJson } from "@/lib/platform/http/client/fetch-json";
import { leaveFor, useApiMutation } from "@/lib/platform/http/client/use-api-mutation";
import type { ShownSupportView } from "@/lib/support/model/support-view";
import { LifeBuoy, ClipboardCopy } from "lucide-react";
import { useTranslations } from "next-intl";
import { useParams, useRouter } from "next/navigation";
import { useSecondsLeft } from "@/components/ui/use-seconds-left";
import { useEffect } from "react";

/** Milliseconds. */
const timeout = 15_000;

/** Screen readers announce when this many minutes are left. */
const announcedMinutes = [1, 5];

const between = (
  <span key="between" aria-hidden>
    ·
  </span>
);

/** Says that support is viewing a partner, why and for how much longer, with a button to leave. */
export function SupportBanner({ view }: { view: ShownSupportView }) {
  const t = useTranslations("support.banner");
  const router = useRouter();
  const { environment } = useParams();
  const left = useSecondsLeft(view.secondsLeft);
  const ending = useApiMutation(async () => {
    const path = apiPath("partners", view.partner.id, "support-view");
    const request = { method: "DELETE", body: {}, timeout, parse: () => true } as const;
    const answer = await sendJson(path, request);
    // A full page load, so that nothing of the partner stays in memory.
    const list = environment ? `/partners?environment=${environment}` : "/partners";
    return answer.kind === "done" ? leaveFor(list) : answer;
  });

  // The view has ended: on refresh, the server asks for a reason again.
  useEffect(() => {
    if (left === 0) router.refresh();
  }, [left, router]);

  const minutes = announcedMinutes.find((limit) => left <= limit * 60);
  return (
    <section
      aria-label={t("title")}
      className="sticky top-16 z-10 flex flex-wrap items-center gap-x-4 gap-y-2 rounded-card border border-out bg-out-soft px-4 py-2.5 text-out shadow-card lg:top-3"
    >
      <LifeBuoy aria-hidden className="size-4 shrink-0 max-sm:hidden" />
      <p className="min-w-0 flex-1 basis-60 [overflow-wrap:anywhere]">
        <Sentences
          of={[
            t.rich("text", {
              partner: view.partner.name,
              strong: (chunks) => <strong className="font-semibold">{chunks}</strong>,
            }),
            between,
            <span key="reason" className="sr-only">
              {t("reason")}
            </span>,
            view.reason,
            between,
            left === 0
              ? t("over")
              : t.rich("endsIn", {
                  time: () => (
                    <span role="timer" className="font-medium tabular-nums">
                      {`${Math.floor(left / 60)}:${String(left % 60).padStart(2, "0")}`}
                    </span>
                  ),
                }),
          ]}
        />
      </p>
      <span role="status" className="sr-only">
        {minutes === undefined || left === 0 ? "" : t("minutesLeft", { minutes })}
      </span>
      <div className="flex flex-wrap items-center gap-2">
        {typeof environment === "string" ? (
          <CopyDiagnosis partnerId={view.partner.id} environment={environment} />
        ) : null}
        <Button size="sm" pending={ending.pending} onClick={() => void ending.send()}>
          {t("end")}
        </Button>
      </div>
      {ending.failure ? (
        <p role="alert" className="basis-full text-small">
          {t("notEnded")}
        </p>
      ) : null}
    </section>
  );
}

type CopyDiagnosisProps = { partnerId: string; environment: string };

/** Copies a summary of this configuration for a colleague. */
function CopyDiagnosis({ partnerId, environment }: CopyDiagnosisProps) {
  const t = useTranslations("support.banner");
  const copying = useApiMutation(async () => {
    const path = apiPath("partners", partnerId, environment, "diagnosis");
    const answer = await fetchJson(path, { timeout: 10_000 });
    const text = answer.kind === "ok" ? (answer.body as { text?: unknown }).text : null;
    if (typeof text !== "string") return "diagnosisFailed";
    return navigator.clipboard.writeText(text).then(
      () => "copied" as const,
      () => "diagnosisFailed" as const,
    );
  });

  return (
    <>
      <Button
        size="sm"
        pending={copying.pending}
        icon={<ClipboardCopy aria-hidden />}
        onClick={() => void copying.send()}
      >
        {t("copy")}
      </Button>
      <span
        role="status"
        className={copying.answer === "diagnosisFailed" ? "text-small text-bad" : "text-small"}
      >
        {copying.answer ? t(copying.answer) : ""}
      </span>
    </>
  );
}
