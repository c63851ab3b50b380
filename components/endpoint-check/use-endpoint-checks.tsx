"use client";

import { lazyPart } from "@/components/layout/lazy-part";
import type { Elements } from "@/components/ui/sentences";
import { useHere } from "@/components/layout/here";
import { Button } from "@/components/ui/button";
import { lastChecksQuery } from "@/lib/endpoint-check/client/query";
import { useEndpointCheck, useDailySwitch } from "@/lib/endpoint-check/client/use-check";
import { isCurrent } from "@/lib/endpoint-check/model/verdict";
import type { ConfiguredWebhook } from "@/lib/webhooks/model/configuration";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { Activity } from "lucide-react";
import { useTranslations } from "next-intl";
import { useState } from "react";
import { LastCheck } from "./last-check";
import { ResultNotice } from "@/components/forms/result-notice";
import { MenuItem } from "@/components/ui/menu";
import type { WebhookType } from "@/lib/platform/payment-service/contract/terms";

const panel = lazyPart(() => import("./check-panel").then((module) => module.CheckPanel));

/** What the installation and the person's role allow; null if checks are switched off. */
export type EndpointChecks = {
  /** The person may check a registered address. */
  mayCheck: boolean;
  /** The person may switch daily checks on and off. */
  maySwitch: boolean;
  /** In the demo, Gancho may call receivers on this machine. */
  demo: boolean;
} | null;

/** What a card shows about the checks of its address. */
export type CardEndpoint = { last: Elements; button: Elements; menuItem: Elements };

/** The checks of one environment's addresses: what the cards show, and the open panel. */
export function useEndpointChecks(checks: EndpointChecks, revision: string | null) {
  const t = useTranslations();
  const { ref } = useHere();
  const { data } = useQuery({
    ...lastChecksQuery(ref, revision),
    placeholderData: keepPreviousData,
    enabled: checks !== null,
  });
  const check = useEndpointCheck(ref);
  const daily = data?.daily ?? [];
  const switches = useDailySwitches(daily);
  const [checked, setChecked] = useState<ConfiguredWebhook | null>(null);
  const [isPanelOpen, setPanelOpen] = useState(false);

  function run(webhook: ConfiguredWebhook) {
    setChecked(webhook);
    setPanelOpen(true);
    void check.send({ type: webhook.type });
  }

  function endpointOf(webhook: ConfiguredWebhook): CardEndpoint | null {
    if (!checks) return null;
    const found = data?.checks.find(({ type }) => type === webhook.type) ?? null;
    const isChecked = found !== null && isCurrent(found, webhook);
    return {
      // Until the checks are known, nothing is said of them.
      last: data ? (
        <LastCheck check={found} current={isChecked} daily={daily.includes(webhook.type)} />
      ) : null,
      menuItem: data && checks.maySwitch ? switches.itemOf(webhook.type) : null,
      button: checks.mayCheck ? (
        <Button
          size="sm"
          variant={isChecked ? "ghost" : "secondary"}
          icon={<Activity aria-hidden />}
          aria-label={t("endpointCheck.buttonOf", { type: t(`webhooks.types.${webhook.type}`) })}
          aria-haspopup="dialog"
          // check-panel.tsx finds the button by this attribute to give the focus back.
          data-checks={webhook.type}
          pending={check.pending && checked?.type === webhook.type}
          disabled={check.pending && checked?.type !== webhook.type}
          onPointerEnter={panel.preload}
          onFocus={panel.preload}
          onClick={() => run(webhook)}
        >
          {t("endpointCheck.short")}
        </Button>
      ) : null,
    };
  }

  /** When the last check of exactly what is registered was, of the one checked longest ago; null: not all were. */
  function checkedAt(webhooks: readonly ConfiguredWebhook[]): string | null {
    const times = webhooks.map(
      (webhook) =>
        data?.checks.find((check) => check.type === webhook.type && isCurrent(check, webhook))?.at,
    );
    const known = times.filter((at) => at !== undefined).sort();
    return known.length === times.length ? (known[0] ?? null) : null;
  }

  const { LazyPart: CheckPanel } = panel;
  return {
    endpointOf,
    checkedAt,
    dailyDialog: switches.dialog,
    panel:
      isPanelOpen && checked && checks ? (
        <CheckPanel
          type={checked.type}
          url={checked.callbackUrl}
          check={check}
          demo={checks.demo}
          onAgain={() => run(checked)}
          onClose={() => setPanelOpen(false)}
        />
      ) : null,
  };
}

/** Loaded on use: dialogs and their library would be a tenth of the page's code. */
const { LazyPart: ConfirmDialog } = lazyPart(() =>
  import("@/components/ui/confirm-dialog").then((module) => module.ConfirmDialog),
);

/** Switches daily checks. Switching them on takes a confirmation that says what they do. */
function useDailySwitches(daily: readonly WebhookType[]) {
  const t = useTranslations();
  const { pending, failure, send } = useDailySwitch(useHere().ref);
  const [asked, setAsked] = useState<WebhookType | null>(null);

  async function switchOn(type: WebhookType) {
    await send({ type, on: true });
    setAsked(null);
  }

  return {
    itemOf: (type: WebhookType) =>
      daily.includes(type) ? (
        <MenuItem onSelect={() => void send({ type, on: false })}>
          {t("endpointCheck.daily.switchOff")}
        </MenuItem>
      ) : (
        <MenuItem onSelect={() => setAsked(type)}>{t("endpointCheck.daily.switchOn")}</MenuItem>
      ),
    dialog: (
      <>
        {failure ? (
          <ResultNotice result={{ failure, unreachable: t("endpointCheck.daily.unreachable") }} />
        ) : null}
        {asked ? (
          <ConfirmDialog
            title={t("endpointCheck.daily.title", { type: t(`webhooks.types.${asked}`) })}
            confirmLabel={t("endpointCheck.daily.switchOn")}
            pending={pending}
            onConfirm={() => void switchOn(asked)}
            onClose={() => setAsked(null)}
          >
            {t("endpointCheck.daily.text")}
          </ConfirmDialog>
        ) : null}
      </>
    ),
  };
}
