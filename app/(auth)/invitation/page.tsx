import { notFound } from "next/navigation";
import { titleOf } from "@/app/title-of";
import { InvitationScreen } from "@/components/invitation/invitation-screen";
import { RememberTimeZone } from "@/components/layout/preferences/remember-time-zone";
import { LanguageSwitch } from "@/components/sign-in/language-switch";
import { env } from "@/lib/platform/env/env";

export const generateMetadata = titleOf("invitation");

/** The token is in the URL fragment, so only the browser can read what the link is for. */
export default function InvitationPage() {
  if (env().oidc?.isOnlyWay) notFound();
  const provider = env().oidc?.name ?? null;
  return (
    <>
      <RememberTimeZone />
      <InvitationScreen provider={provider} />
      <LanguageSwitch />
    </>
  );
}
