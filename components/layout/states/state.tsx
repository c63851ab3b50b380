import { ButtonLink } from "@/components/ui/button-link";
import { Compass, ShieldX, UserRoundX } from "lucide-react";
import { useTranslations } from "next-intl";
import type { ReactNode } from "react";
import { State } from "./frame";

/** For a page of the person's own partner that their role may not open. */
export function ForbiddenState() {
  return <DeadEnd namespace="forbidden" icon={<ShieldX aria-hidden />} />;
}

/** Shown both for what does not exist and for what the person may not see. */
export function NotFoundState() {
  return <DeadEnd namespace="notFound" icon={<Compass aria-hidden />} />;
}

function DeadEnd({ namespace, icon }: { namespace: "forbidden" | "notFound"; icon: ReactNode }) {
  const t = useTranslations(`shell.${namespace}`);
  return (
    <State icon={icon} title={t("title")} actions={<ButtonLink href="/">{t("home")}</ButtonLink>}>
      <p>{t("text")}</p>
    </State>
  );
}

/** For people who are signed in but belong to no partner. */
/** `provider`: the name of the one whose groups alone decide; null: people are invited. */
export function NoPartnerState({ email, provider }: { email: string; provider: string | null }) {
  const t = useTranslations("shell.noPartner");
  return (
    <State icon={<UserRoundX aria-hidden />} title={t("title")}>
      <p>{t("text", { email, provider: provider ?? "none" })}</p>
    </State>
  );
}

/** For people whose roles the provider decides, in a session that it did not begin. */
export function OpensAtProviderState({ provider }: { provider: string }) {
  const t = useTranslations("shell.opensAtProvider");
  return (
    <State icon={<UserRoundX aria-hidden />} title={t("title", { provider })}>
      <p>{t("text", { provider })}</p>
    </State>
  );
}
