"use client";

import { FailureNotice } from "@/components/forms/failure-notice";
import { useHere } from "@/components/layout/here";
import { Button } from "@/components/ui/button";
import { Hint } from "@/components/ui/hint";
import { useCaptureSwitch } from "@/lib/capture/client/use-capture-switch";
import type { AppliesTo } from "@/lib/platform/payment-service/contract/terms";
import { Inbox } from "lucide-react";
import { useTranslations } from "next-intl";
import { useCaptures } from "./use-captures";

type CaptureOfferProps = {
  type: AppliesTo;
  /** The address in the form. */
  url: string;
  /** The person may switch an address on. */
  maySwitch: boolean;
  onUse: (url: string) => void;
};

/** Offers an address of the dashboard's own, in an environment for tests. */
export function CaptureOffer({ type, url, maySwitch, onUse }: CaptureOfferProps) {
  const t = useTranslations("capture.offer");
  const captures = useCaptures();
  const { send, pending, failure } = useCaptureSwitch(useHere().ref);
  const present = captures?.captures.find((capture) => capture.type === type);
  if (!captures?.offered || (!present && !maySwitch)) return null;
  if (type === "both") return <Hint icon={Inbox}>{t("oneType")}</Hint>;
  if (present?.url === url) return <Hint icon={Inbox}>{t("used")}</Hint>;
  const only = type;

  async function use() {
    const answer = present ? null : await send({ type: only, on: true });
    const switched = answer?.kind === "done" ? answer.result.url : null;
    const now = present?.url ?? switched;
    if (now) onUse(now);
  }

  return (
    <div className="flex flex-col gap-2">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <Button size="sm" icon={<Inbox aria-hidden />} pending={pending} onClick={() => void use()}>
          {t("button")}
        </Button>
        <p className="min-w-0 flex-1 basis-48 text-small text-ink-3">{t("text")}</p>
      </div>
      {failure ? <FailureNotice failure={failure} unreachable={t("unreachable")} /> : null}
    </div>
  );
}
