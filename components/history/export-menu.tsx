"use client";

import { buttonStyle } from "@/components/ui/button-style";
import { Menu, MenuDownload } from "@/components/ui/menu";
import { Download } from "lucide-react";
import { useTranslations } from "next-intl";

/** Downloads the entries on screen; the addresses carry the filters. */
export function ExportMenu({ csvHref, jsonHref }: { csvHref: string; jsonHref: string }) {
  const t = useTranslations("timeline.export");
  return (
    <Menu
      label={t("label")}
      trigger={
        <>
          <Download aria-hidden />
          {t("button")}
        </>
      }
      triggerClassName={buttonStyle("secondary", "md")}
      align="end"
      menuClassName="w-52"
    >
      <MenuDownload href={csvHref}>{t("csv")}</MenuDownload>
      <MenuDownload href={jsonHref}>{t("json")}</MenuDownload>
    </Menu>
  );
}
