import { InvitationScreen } from "@/components/invitation/invitation-screen";
import { ClientMessages } from "@/components/layout/client-messages";
import { RememberTimeZone } from "@/components/layout/preferences/remember-time-zone";
import { LanguageSwitch } from "@/components/sign-in/language-switch";
import { env } from "@/lib/platform/env/env";
import type { Metadata } from "next";
import { getTranslations } from "next-intl/server";

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations("invitation");
  return { title: t("title") };
}

/** The token stands after the #, so only the browser can find out what the link is for. */
export default function InvitationPage() {
  const provider = env().oidc?.name ?? null;
  return (
    <ClientMessages namespaces={["problems", "team", "password", "invitation"]}>
      <RememberTimeZone />
      <InvitationScreen provider={provider} />
      <LanguageSwitch />
    </ClientMessages>
  );
}
