"use client";

import { Menu, MenuItem } from "@/components/ui/menu";
import type { PartnerLine } from "@/lib/partners/model/page";
import { Ellipsis } from "lucide-react";
import { useTranslations } from "next-intl";

type ManageMenuProps = {
  partner: PartnerLine;
  onFirstAdmin: () => void;
  onRename: () => void;
  onSuspend: () => void;
};

/** What an operator does about one partner. */
export function ManageMenu({ partner, onFirstAdmin, onRename, onSuspend }: ManageMenuProps) {
  const t = useTranslations("partners");
  return (
    <Menu
      label={t("manage.menu", { partner: partner.name })}
      align="end"
      menuClassName="min-w-48"
      trigger={<Ellipsis aria-hidden className="size-4" />}
      triggerClassName="inline-flex size-9 items-center justify-center rounded-control text-ink-2 hover:bg-hover hover:text-ink"
    >
      <MenuItem onSelect={onFirstAdmin}>{t("firstAdmin.menu")}</MenuItem>
      <MenuItem onSelect={onRename}>{t("manage.rename")}</MenuItem>
      <MenuItem onSelect={onSuspend}>
        {t(partner.suspended ? "manage.resume" : "manage.suspend")}
      </MenuItem>
    </Menu>
  );
}
