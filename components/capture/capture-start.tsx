"use client";

import { EditButton } from "@/components/webhooks/list/edit-button";
import { useTranslations } from "next-intl";
import { useCaptures } from "./use-captures";

/** Opens the sheet that offers an address of the dashboard's own, for who has no receiver yet. */
export function CaptureStart() {
  const t = useTranslations("capture.offer");
  const captures = useCaptures();
  if (!captures?.offered) return null;
  return (
    <EditButton variant="ghost" opens={{ mode: "register", type: "pix_in" }}>
      {t("button")}
    </EditButton>
  );
}
