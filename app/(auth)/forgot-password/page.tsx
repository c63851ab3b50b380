import { notFound } from "next/navigation";
import { titleOf } from "@/app/title-of";
import { ForgotPassword } from "@/components/sign-in/forgot-password";
import { LanguageSwitch } from "@/components/sign-in/language-switch";
import { env } from "@/lib/platform/env/env";

export const generateMetadata = titleOf("signIn.forgotten");

export default function ForgotPasswordPage() {
  const { mail, oidc } = env();
  if (oidc?.isOnlyWay) notFound();
  return (
    <>
      <ForgotPassword mails={mail !== null} provider={oidc?.name ?? null} />
      <LanguageSwitch />
    </>
  );
}
