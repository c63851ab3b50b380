import { PageHeader } from "@/components/layout/page-header";
import type { Theme } from "@/components/layout/preferences/theme";
import { Notice } from "@/components/ui/notice";
import type { Account } from "@/lib/account/model/account";
import { useTranslations } from "next-intl";
import { ActivitySection } from "./activity-section";
import { AlertsSection } from "./alerts-section";
import { CodesSection } from "./codes-section";
import { DisplaySection } from "./display-section";
import { NameSection } from "./name-section";
import { PasskeysSection } from "./passkeys-section";
import { PartnersSection } from "./partners-section";
import { PasswordSection } from "./password-section";
import { SessionsSection } from "./sessions-section";

type AccountScreenProps = { account: Account; theme: Theme | undefined };

/** The person's own settings, whatever their role. */
export function AccountScreen({ account, theme }: AccountScreenProps) {
  const t = useTranslations("account");
  const password = account.password === "set" ? "here" : "elsewhere";
  return (
    <div className="flex max-w-3xl flex-col gap-6">
      <PageHeader title={t("title")} intro={`${account.name} · ${account.email}`} />
      {account.codesMissing || account.passkeyMissing ? null : <Sections account={account} />}
      {account.codesMissing ? (
        <Notice tone="warn" title={t("codes.required.title")}>
          {t("codes.required.text")}
        </Notice>
      ) : null}
      {account.passkeyMissing ? (
        <Notice tone="warn" title={t(`passkeys.required.${account.passkeyMissing}.title`)}>
          {t(`passkeys.required.${account.passkeyMissing}.text`)}
        </Notice>
      ) : null}
      {account.codesMissing ? null : (
        <PasskeysSection
          passkeys={account.passkeys}
          use={account.password === "off" ? "confirm" : "signIn"}
          passkeysWork={account.passkeysWork}
          passkeyMissing={account.passkeyMissing}
          codes={account.codes}
        />
      )}
      {account.password === "set" && !account.passkeyMissing ? (
        <CodesSection codes={account.codes} required={account.codesMissing} />
      ) : null}
      {account.codesMissing || account.passkeyMissing ? null : (
        <>
          {account.alerts ? <AlertsSection shown={account.alerts} /> : null}
          <PartnersSection partners={account.partners} />
          <SessionsSection sessions={account.sessions} password={password} />
          <ActivitySection activity={account.activity} self={account.id} password={password} />
          <NameSection name={account.name} />
          {account.password === "off" ? null : (
            <PasswordSection email={account.email} passwordSet={account.password === "set"} />
          )}
        </>
      )}
      <DisplaySection theme={theme} />
    </div>
  );
}

/** Links to the sections, in their order. */
function Sections({ account }: { account: Account }) {
  const t = useTranslations("account");
  const shown = [
    "passkeys",
    ...(account.password === "set" ? (["codes"] as const) : []),
    ...(account.alerts ? (["alerts"] as const) : []),
    "partners",
    "sessions",
    "activity",
    "name",
    ...(account.password === "off" ? [] : (["password"] as const)),
    "display",
  ] as const;
  return (
    <nav aria-label={t("sections")} className="flex flex-wrap gap-x-4 gap-y-1 print:hidden">
      {shown.map((section) => (
        <a
          key={section}
          href={`#${section}`}
          className="inline-flex min-h-6 items-center text-small text-brand underline"
        >
          {t(`${section}.title`)}
        </a>
      ))}
    </nav>
  );
}
