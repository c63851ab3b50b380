"use client";

import { useTranslations } from "next-intl";
import type { ComponentProps } from "react";
import { PageHeader } from "@/components/layout/page-header";
import { Button } from "@/components/ui/button";
import type { SheetAddress } from "@/lib/webhooks/model/sheet-address";
import { Pencil, Plus, RefreshCw } from "lucide-react";
import { EditButton } from "./edit-button";
import type { Configuration } from "@/lib/webhooks/model/configuration";
import { useApiMutation } from "@/lib/platform/http/client/use-api-mutation";
import { webhookOf } from "@/lib/webhooks/model/registered";
import { webhookTypes } from "@/lib/platform/payment-service/contract/terms";

type WebhooksHeaderProps = Pick<ComponentProps<typeof PageHeader>, "age" | "actions">;

export function WebhooksHeader(props: WebhooksHeaderProps) {
  const t = useTranslations("webhooks");
  return <PageHeader title={t("title")} {...props} />;
}

type ScreenActionsProps = {
  /** Resolves to whether the payment service confirmed the configuration. */
  onRefresh: () => Promise<boolean>;
  /** The sheet that "Register webhook" opens, or "Change both" if both types are registered. */
  register: SheetAddress;
  /** Whether this is the page's main action: a page has at most one filled button. */
  filled: boolean;
};

export function ScreenActions({ onRefresh, register, filled }: ScreenActionsProps) {
  const t = useTranslations("webhooks");
  const { pending, answer: isConfirmed, send: refresh } = useApiMutation(onRefresh);
  return (
    <>
      <Button
        variant="ghost"
        icon={<RefreshCw aria-hidden />}
        pending={pending}
        onClick={() => void refresh()}
      >
        {t("refresh")}
      </Button>
      <EditButton
        opens={register}
        variant={filled ? "primary" : "secondary"}
        icon={register.mode === "edit" ? <Pencil aria-hidden /> : <Plus aria-hidden />}
      >
        {t(register.mode === "edit" ? "changeBoth" : "register")}
      </EditButton>
      <span aria-live="polite" className="sr-only">
        {isConfirmed === null ? "" : t(isConfirmed ? "refreshed" : "notRefreshed")}
      </span>
    </>
  );
}

/** The sheet for the only missing type, or else for both. */
export function registerAddress(configuration: Configuration): SheetAddress {
  const missing = webhookTypes.filter((type) => !webhookOf(configuration, type));
  const [only, ...others] = missing;
  if (!only) return { mode: "edit", type: "both" };
  return { mode: "register", type: others.length === 0 ? only : "both" };
}
