import { ButtonLink } from "@/components/ui/button-link";
import { Compass, ShieldX, UserRoundX } from "lucide-react";
import { useTranslations } from "next-intl";
import { State } from "./frame";

/** For a page of one's own partner that one's role may not open. */
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

/** The same words for what does not exist and for what the person may not see. */
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

/** For somebody who is signed in and belongs to no partner. */
export function NoPartnerState({ email }: { email: string }) {
  const t = useTranslations("shell.noPartner");
  return (
    <State icon={<UserRoundX aria-hidden />} title={t("title")}>
      <p>{t("text", { email })}</p>
    </State>
  );
}
