import { notFound } from "next/navigation";
import { env } from "@/lib/platform/env/env";
import { titleOf } from "@/app/title-of";
import { LanguageSwitch } from "@/components/sign-in/language-switch";
import { ChoosePassword } from "@/components/staff/choose-password";

export const generateMetadata = titleOf("installation.choose");

/** The token is in the URL fragment, so only the browser can read what the link is for. */
export default function ChoosePasswordPage() {
  if (env().oidc?.isOnlyWay) notFound();
  return (
    <>
      <ChoosePassword />
      <LanguageSwitch />
    </>
  );
}
