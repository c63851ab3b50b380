import { RememberTimeZone } from "@/components/shell/remember-time-zone";
import { LanguageSwitch } from "@/components/sign-in/language-switch";
import { SignInForm } from "@/components/sign-in/sign-in-form";
import { Card } from "@/components/ui/card";
import { Notice } from "@/components/ui/notice";
import { signedIn } from "@/lib/access/viewer";
import { whyPresentSessionEnded } from "@/lib/auth/read-session";
import { signInFailure } from "@/lib/auth-client";
import { relyingParty } from "@/lib/auth/passkeys/webauthn";
import { env } from "@/lib/env";
import { ownPath } from "@/lib/own-path";
import type { Metadata } from "next";
import { getTranslations } from "next-intl/server";
import { redirect } from "next/navigation";

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations("signIn");
  return { title: t("title") };
}

type Search = Record<string, string | string[] | undefined>;

export default async function SignInPage({ searchParams }: { searchParams: Promise<Search> }) {
  const [t, search, person] = await Promise.all([
    getTranslations("signIn"),
    searchParams,
    signedIn(),
  ]);
  const { oidc, url } = env();
  const callbackPath = ownPath(first(search["callbackUrl"]), url.origin);
  if (person) redirect(callbackPath);
  // Signing in comes back here with a code when it failed on the way.
  const error = first(search["error"]);
  const ended = error === undefined ? await whyPresentSessionEnded() : null;
  return (
    <>
      <Card aria-labelledby="sign-in" className="gap-5 p-6 sm:p-7">
        <div>
          <h1 id="sign-in" className="text-title font-semibold tracking-tight">
            {t("title")}
          </h1>
          <p className="text-ink-2">{t("intro")}</p>
        </div>
        {ended === null ? null : (
          <Notice tone="warn" role="status" title={t(`ended.${ended}.title`)}>
            {t(`ended.${ended}.next`)}
          </Notice>
        )}
        <SignInForm
          callbackPath={callbackPath}
          singleSignOn={oidc && { name: oidc.name }}
          passkeys={relyingParty() !== null}
          initialFailure={error === undefined ? null : signInFailure(error)}
        />
      </Card>
      <LanguageSwitch />
      <RememberTimeZone times={false} />
    </>
  );
}

function first(value: string | string[] | undefined): string | undefined {
  return Array.isArray(value) ? value[0] : value;
}
