import { MailQuestionMark } from "lucide-react";
import { useTranslations } from "next-intl";
import { State } from "./state";

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
