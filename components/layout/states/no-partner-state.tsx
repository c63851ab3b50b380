import { UserRoundX } from "lucide-react";
import { useTranslations } from "next-intl";
import { State } from "./state";

/** For somebody who is signed in and part of nothing. */
export function NoPartnerState({ email }: { email: string }) {
  const t = useTranslations("shell.noPartner");
  return (
    <State icon={<UserRoundX aria-hidden />} title={t("title")}>
      <p>{t("text", { email })}</p>
    </State>
  );
}
