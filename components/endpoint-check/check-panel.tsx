"use client";

import { useHere } from "@/components/layout/here";
import { Sentences } from "@/components/ui/sentences";
import { Button } from "@/components/ui/button";
import { Address } from "@/components/webhooks/compare/address";
import { Notice } from "@/components/ui/notice";
import { Sheet } from "@/components/ui/sheet";
import type { useEndpointCheck } from "@/lib/endpoint-check/client/use-check";
import type { WebhookType } from "@/lib/platform/payment-service/contract/terms";
import { RefreshCw } from "lucide-react";
import { useTranslations } from "next-intl";
import { CheckStatus } from "./check-result";

type CheckPanelProps = {
  type: WebhookType;
  /** The address that the page shows. A finished check has the address that it found registered. */
  url: string;
  check: ReturnType<typeof useEndpointCheck>;
  /** In the demo, Gancho may call receivers on this machine. */
  demo: boolean;
  onAgain: () => void;
  onClose: () => void;
};

/**
 * Shows one check of a registered address, from the start to the verdict. Closing the panel does not stop the check.
 */
export function CheckPanel(props: CheckPanelProps) {
  const { type, url, check, demo, onAgain, onClose } = props;
  const t = useTranslations();
  const { environmentName: environment } = useHere();
  const { pending } = check;
  const result = !pending && check.result?.type === type ? check.result : null;
  const sent = [result?.without, result?.with].filter(Boolean).length;
  const typeAndEnvironment = t("endpointCheck.place", {
    type: t(`webhooks.types.${type}`),
    environment,
  });
  return (
    <Sheet
      title={t("endpointCheck.title")}
      description={
        <Sentences
          of={[typeAndEnvironment, result ? t("endpointCheck.sentCount", { count: sent }) : null]}
        />
      }
      onCloseRequest={onClose}
      returnTo={() => document.querySelector<HTMLElement>(`[data-checks="${type}"]`)}
      scrollsItself
      footer={
        <>
          <p className="mr-auto text-small text-ink-2">
            {result ? t("endpointCheck.recorded") : null}
          </p>
          <Button variant="ghost" onClick={onClose}>
            {t("common.close")}
          </Button>
          <Button icon={<RefreshCw aria-hidden />} pending={pending} onClick={onAgain}>
            {t("endpointCheck.again")}
          </Button>
        </>
      }
    >
      <div className="flex flex-col gap-5">
        <p className="text-base leading-6 text-ink-2">
          <Address url={result?.url ?? url} />
        </p>
        {demo ? <Notice tone="info">{t("endpointCheck.demo")}</Notice> : null}
        <CheckStatus check={check} result={result} demo={demo} />
      </div>
    </Sheet>
  );
}
