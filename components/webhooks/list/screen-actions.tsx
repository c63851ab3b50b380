"use client";

import { Button } from "@/components/ui/button";
import type { SheetAddress } from "@/lib/webhooks/model/sheet-address";
import { Plus, RefreshCw } from "lucide-react";
import { useTranslations } from "next-intl";
import { useState } from "react";
import { EditButton } from "./edit-button";
import type { Editing } from "./editing";

type ScreenActionsProps = {
  editing: Editing;
  /** Resolves to whether the payment service confirmed it. */
  onRefresh: () => Promise<boolean>;
  /** What "Register webhook" opens. */
  register: SheetAddress;
  onOpen: (address: SheetAddress) => void;
};

export function ScreenActions({ editing, onRefresh, register, onOpen }: ScreenActionsProps) {
  const t = useTranslations("webhooks");
  const [state, setState] = useState<"idle" | "pending" | "confirmed" | "failed">("idle");

  async function refresh() {
    setState("pending");
    setState((await onRefresh()) ? "confirmed" : "failed");
  }

  const said = { idle: "", pending: "", confirmed: t("refreshed"), failed: t("notRefreshed") };
  return (
    <>
      <Button
        icon={<RefreshCw aria-hidden />}
        pending={state === "pending"}
        onClick={() => void refresh()}
      >
        {t("refresh")}
      </Button>
      <EditButton
        editing={editing}
        opens={register}
        onOpen={onOpen}
        variant="primary"
        icon={<Plus aria-hidden />}
      >
        {t("register")}
      </EditButton>
      <span aria-live="polite" className="sr-only">
        {said[state]}
      </span>
    </>
  );
}
