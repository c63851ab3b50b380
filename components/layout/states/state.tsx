import { ButtonLink } from "@/components/ui/button-link";
import { Compass, ShieldX, UserRoundX } from "lucide-react";
import { useTranslations } from "next-intl";
import { State } from "./frame";
import { SignOutButton } from "./sign-out-button";

const deadEnds = {
  forbidden: { words: "forbidden", icon: <ShieldX aria-hidden /> },
  not_found: { words: "notFound", icon: <Compass aria-hidden /> },
} as const;

/**
 * For a page of the person's own partner that their role may not open, or one that shows nothing: the same for what does
 * not exist and for what the person may not see.
 */
export function RefusedState({ why }: { why: keyof typeof deadEnds }) {
  const { words, icon } = deadEnds[why];
  const t = useTranslations(`shell.${words}`);
  return (
    <State icon={icon} title={t("title")} actions={<ButtonLink href="/">{t("home")}</ButtonLink>}>
      <p>{t("text")}</p>
    </State>
  );
}

/** For an address that no page has. */
export function NotFoundState() {
  return <RefusedState why="not_found" />;
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
    <State
      icon={<UserRoundX aria-hidden />}
      title={t("title", { provider })}
      actions={<SignOutButton />}
    >
      <p>{t("text", { provider })}</p>
    </State>
  );
}
