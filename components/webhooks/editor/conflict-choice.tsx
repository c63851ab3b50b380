"use client";

import { Button } from "@/components/ui/button";
import { overwrittenAuthors, type TypeConflict } from "@/lib/webhooks/model/conflict";
import { useFormatter, useTranslations } from "next-intl";

type ConflictChoiceProps = {
  pending: boolean;
  conflicts: readonly TypeConflict[];
  onKeepMine: () => void;
  onTakeTheirs: () => void;
};

/** The two ways out of a conflict, always in view, the one named by whose change it writes over. Nothing is decided by pressing save again. */
export function ConflictChoice({
  pending,
  conflicts,
  onKeepMine,
  onTakeTheirs,
}: ConflictChoiceProps) {
  const t = useTranslations("webhooks.conflict");
  const format = useFormatter();
  const authors = overwrittenAuthors(conflicts).map((name) => name ?? t("unknownClient"));
  return (
    <>
      <Button disabled={pending} onClick={onTakeTheirs}>
        {t("takeTheirs")}
      </Button>
      <Button variant="primary" pending={pending} onClick={onKeepMine}>
        {authors.length > 0
          ? t("overwriteOf", { names: format.list(authors), count: authors.length })
          : t("keepMine")}
      </Button>
    </>
  );
}
