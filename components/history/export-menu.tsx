"use client";

import { buttonStyle } from "@/components/ui/button-style";
import { Menu, MenuLink } from "@/components/ui/menu";
import { Download } from "lucide-react";
import { useTranslations } from "next-intl";

/** Downloads the entries that match the filters, which are part of the URLs. */
export function ExportMenu({ csvHref, jsonHref }: { csvHref: string; jsonHref: string }) {
  const t = useTranslations("timeline.export");
  return (
    <Menu
      label={t("label")}
      trigger={
        <>
          <Download aria-hidden />
          <span>{t("button")}</span>
        </>
      }
      triggerClassName={buttonStyle("secondary", "md")}
      menuClassName="top-full right-0 w-52"
    >
      <MenuLink download href={csvHref}>
        {t("csv")}
      </MenuLink>
      <MenuLink download href={jsonHref}>
        {t("json")}
      </MenuLink>
    </Menu>
  );
}
