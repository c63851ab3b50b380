"use client";

import { FailureNotice } from "@/components/forms/failure-notice";
import { lazyPart } from "@/components/layout/lazy-part";
import { MenuItem } from "@/components/ui/menu";
import { useHere } from "@/components/layout/here";
import { useDailySwitch } from "@/lib/endpoint-check/client/use-check";
import type { WebhookType } from "@/lib/webhooks/model/types";
import { useTranslations } from "next-intl";
import { useState } from "react";

/** Dialogs and their library would be a tenth of the page's code. */
const { LazyPart: ConfirmDialog } = lazyPart(
  () => import("@/components/ui/confirm-dialog").then((module) => module.ConfirmDialog),
  ({ onCancel }) => onCancel(),
);

/** Has Gancho check endpoints every day, once the admin has read what that means; or no longer. */
export function useDailySwitches(daily: readonly WebhookType[]) {
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
        <FailureNotice failure={failure} unreachable={t("endpointCheck.daily.unreachable")} />
        {asked ? (
          <ConfirmDialog
            title={t("endpointCheck.daily.title", { type: t(`webhooks.types.${asked}`) })}
            confirmLabel={t("endpointCheck.daily.switchOn")}
            pending={pending}
            onConfirm={() => void switchOn(asked)}
            onCancel={() => setAsked(null)}
          >
            {t("endpointCheck.daily.text")}
          </ConfirmDialog>
        ) : null}
      </>
    ),
  };
}
