import { InvitationScreen } from "@/components/invitation/invitation-screen";
import { ClientMessages } from "@/components/layout/client-messages";
import { RememberTimeZone } from "@/components/layout/preferences/remember-time-zone";
import { LanguageSwitch } from "@/components/sign-in/language-switch";
import { signInFailure } from "@/lib/platform/auth/client/auth-client";
import { env } from "@/lib/platform/env/env";
import type { Metadata } from "next";
import { getTranslations } from "next-intl/server";

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations("invitation");
  return { title: t("title") };
}

type Search = Record<string, string | string[] | undefined>;

/** The token stands after the #, so only the browser can find out what the link is for. */
export default async function InvitationPage({ searchParams }: { searchParams: Promise<Search> }) {
  // Single sign-on comes back here with a code when it failed.
  const { error } = await searchParams;
  const failure = typeof error === "string" ? signInFailure(error) : null;
  const { oidc } = env();
  return (
    <ClientMessages namespaces={["problems", "team", "password", "invitation"]}>
      <RememberTimeZone />
      <InvitationScreen singleSignOn={oidc && { name: oidc.name, failure }} />
      <LanguageSwitch />
    </ClientMessages>
  );
}
