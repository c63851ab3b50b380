import { ButtonLink } from "@/components/ui/button-link";
import { Compass } from "lucide-react";
import { useTranslations } from "next-intl";
import { State } from "./state";

/** The same words for what does not exist and for what one has no part in. */
export function NotFoundState() {
  const t = useTranslations("shell.notFound");
  return (
    <State
      icon={<Compass aria-hidden />}
      title={t("title")}
      actions={<ButtonLink href="/">{t("home")}</ButtonLink>}
    >
      <p>{t("text")}</p>
    </State>
  );
}
