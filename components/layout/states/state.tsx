import { ButtonLink } from "@/components/ui/button-link";
import { Compass, MailQuestionMark, ShieldX, UserRoundX } from "lucide-react";
import { useTranslations } from "next-intl";
import { State } from "./frame";

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

/** For somebody who is signed in and part of nothing. */
export function NoPartnerState({ email }: { email: string }) {
  const t = useTranslations("shell.noPartner");
  return (
    <State icon={<UserRoundX aria-hidden />} title={t("title")}>
      <p>{t("text", { email })}</p>
    </State>
  );
}

type UnprovenStateProps = {
  email: string;
  /** What they are to be. */
  role: "support" | "operator";
  way: "both" | "provider" | "mail";
  /** What the identity provider is called; empty where none is set up. */
  provider: string;
};

/** For somebody who is given a role of the staff, and has not shown yet that they are whom it is given to. */
export function UnprovenState({ email, role, way, provider }: UnprovenStateProps) {
  const t = useTranslations("shell.unproven");
  return (
    <State icon={<MailQuestionMark aria-hidden />} title={t("title")}>
      <p>{t(`text.${role}`, { email })}</p>
      <p>{t(`how.${way}`, { provider })}</p>
    </State>
  );
}
