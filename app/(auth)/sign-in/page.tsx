import { titleOf } from "@/app/title-of";
import { RememberTimeZone } from "@/components/layout/preferences/remember-time-zone";
import { LanguageSwitch } from "@/components/sign-in/language-switch";
import { SignInForm } from "@/components/sign-in/sign-in-form";
import { BareCard } from "@/components/layout/bare-frame";
import { Notice } from "@/components/ui/notice";
import { mustEnrolFirst, signedIn } from "@/lib/platform/access/viewer";
import { currentSessionEnd } from "@/lib/platform/auth/sessions/read-session";
import { signInFailure } from "@/lib/platform/auth/client/auth-client";
import { relyingParty } from "@/lib/platform/auth/passkeys/webauthn";
import { isDatabaseUnavailable } from "@/lib/platform/database/unavailable";
import { env } from "@/lib/platform/env/env";
import { idPattern } from "@/lib/platform/http/model/id-pattern";
import { safeRedirectPath } from "@/lib/platform/http/model/safe-redirect-path";
import { getTranslations } from "next-intl/server";
import { redirect } from "next/navigation";

export const generateMetadata = titleOf("signIn");

type Search = Record<string, string | string[] | undefined>;

export default async function SignInPage({ searchParams }: { searchParams: Promise<Search> }) {
  const [t, search] = await Promise.all([getTranslations("signIn"), searchParams]);
  // Without the database Gancho cannot tell who is signed in, and this page says so.
  const person = await signedIn().catch((error: unknown) => {
    if (!isDatabaseUnavailable(error)) throw error;
    return "unknown" as const;
  });
  const away = person === "unknown";
  const { oidc, url } = env();
  const linked = linkedPage(search);
  const callbackPath = linked ?? safeRedirectPath(first(search["callbackUrl"]), url.origin);
  // Other pages would send them back here.
  if (person && !away) redirect(mustEnrolFirst(person) ? "/account" : callbackPath);
  // A failed sign-in redirects here with an error code.
  const error = first(search["error"]);
  const ended = error === undefined && !away ? await currentSessionEnd() : null;
  return (
    <>
      <BareCard title={t("title")} intro={t("intro")}>
        {ended === null ? null : (
          <Notice tone="warn" role="status" title={t(`ended.${ended}.title`)}>
            {t(`ended.${ended}.next`)}
          </Notice>
        )}
        <SignInForm
          callbackPath={callbackPath}
          straightOn={linked !== null && error === undefined && !away}
          singleSignOn={oidc && { name: oidc.name }}
          onlyProvider={oidc?.isOnlyWay === true}
          passkeys={relyingParty() !== null}
          initialFailure={away ? { outcome: "database_away" } : error ? signInFailure(error) : null}
        />
      </BareCard>
      <LanguageSwitch />
      <RememberTimeZone times={false} />
    </>
  );
}

/**
 * The page of the link in the payment service's own portal: `?partner=aurora&environment=production`. Whether the person
 * may open it is decided there.
 */
function linkedPage(search: Search): string | null {
  const [partner = "", environment = ""] = [first(search["partner"]), first(search["environment"])];
  if (!idPattern.test(partner) || !env().environments.has(environment)) return null;
  return `/partners/${partner}/${environment}/webhooks`;
}

function first(value: string | string[] | undefined): string | undefined {
  return Array.isArray(value) ? value[0] : value;
}
