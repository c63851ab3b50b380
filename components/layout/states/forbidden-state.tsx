import { ButtonLink } from "@/components/ui/button-link";
import { ShieldX } from "lucide-react";
import { useTranslations } from "next-intl";
import { State } from "./state";

/** For a page of a partner one is part of, with a role that does not reach it. */
export function ForbiddenState() {
  const t = useTranslations("shell.forbidden");
  return (
    <State
      icon={<ShieldX aria-hidden />}
      title={t("title")}
      actions={<ButtonLink href="/">{t("home")}</ButtonLink>}
    >
      <p>{t("text")}</p>
    </State>
  );
}
