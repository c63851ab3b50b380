"use client";

import { Button } from "@/components/ui/button";
import { useTranslations } from "next-intl";

type ConflictChoiceProps = {
  pending: boolean;
  onKeepMine: () => void;
  onTakeTheirs: () => void;
};

/** The two ways out of a conflict, always in view. Nothing is decided by pressing save again. */
export function ConflictChoice({ pending, onKeepMine, onTakeTheirs }: ConflictChoiceProps) {
  const t = useTranslations("webhooks.conflict");
  return (
    <>
      <Button disabled={pending} onClick={onTakeTheirs}>
        {t("takeTheirs")}
      </Button>
      <Button variant="primary" pending={pending} onClick={onKeepMine}>
        {t("keepMine")}
      </Button>
    </>
  );
}
