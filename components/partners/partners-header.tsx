"use client";

import { Button } from "@/components/ui/button";
import { Plus } from "lucide-react";
import { useTranslations } from "next-intl";
import type { ReactNode } from "react";
import type { ListReader } from "./list-reader";

type PartnersHeaderProps = {
  reader: ListReader;
  /** The choice of an environment. */
  environment: ReactNode;
  /** Left out for those who create none. */
  onCreate?: () => void;
};

export function PartnersHeader({ reader, environment, onCreate }: PartnersHeaderProps) {
  const t = useTranslations("partners");
  return (
    <div className="flex flex-wrap items-start justify-between gap-x-6 gap-y-4">
      <div className="min-w-0">
        <h1 className="text-title font-semibold tracking-tight">{t("title")}</h1>
        <p className="mt-1 text-pretty text-ink-2">{t(`intro.${reader}`)}</p>
      </div>
      <div className="flex flex-wrap items-center gap-3 empty:hidden">
        {environment}
        {onCreate ? (
          <Button variant="primary" size="lg" icon={<Plus aria-hidden />} onClick={onCreate}>
            {t("create.button")}
          </Button>
        ) : null}
      </div>
    </div>
  );
}
