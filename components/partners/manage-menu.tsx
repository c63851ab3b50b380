"use client";

import { Menu, MenuItem } from "@/components/ui/menu";
import type { PartnerLine } from "@/lib/partners/page";
import { Ellipsis } from "lucide-react";
import { useTranslations } from "next-intl";

type ManageMenuProps = { partner: PartnerLine; onRename: () => void; onSuspend: () => void };

/** What an operator does about one partner. */
export function ManageMenu({ partner, onRename, onSuspend }: ManageMenuProps) {
  const t = useTranslations("partners.manage");
  return (
    <Menu
      label={t("menu", { partner: partner.name })}
      align="end"
      menuClassName="min-w-40"
      trigger={<Ellipsis aria-hidden className="size-4" />}
      triggerClassName="inline-flex size-9 items-center justify-center rounded-control text-ink-2 hover:bg-hover hover:text-ink"
    >
      <MenuItem onSelect={onRename}>{t("rename")}</MenuItem>
      <MenuItem onSelect={onSuspend}>{t(partner.suspended ? "resume" : "suspend")}</MenuItem>
    </Menu>
  );
}
