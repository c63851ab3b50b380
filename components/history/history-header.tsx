"use client";

import { useEnvironmentName } from "@/components/layout/nav/environment-name";
import { PageHeader } from "@/components/layout/page-header";
import { useTranslations } from "next-intl";
import type { ReactNode } from "react";
import { buttonStyle } from "@/components/ui/button-style";
import { Menu, MenuDownload } from "@/components/ui/menu";
import { Download } from "lucide-react";

type HistoryHeaderProps = { partnerName: string; environment: string; actions: ReactNode };

export function HistoryHeader({ partnerName, environment, actions }: HistoryHeaderProps) {
  const t = useTranslations("timeline");
  const environmentName = useEnvironmentName()(environment);
  const intro = t("intro", { environment: environmentName, partner: partnerName });
  return <PageHeader title={t("title")} intro={intro} actions={actions} />;
}

/** For the operators' page about the people of the installation. */
export function ActivityHeader({ actions }: { actions: ReactNode }) {
  const t = useTranslations("timeline.activity");
  const back = { href: "/installation", label: t("back") };
  return <PageHeader title={t("title")} intro={t("intro")} back={back} actions={actions} />;
}

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
