import { PageHeader } from "@/components/layout/page-header";
import type { Theme } from "@/components/layout/preferences/theme";
import { Notice } from "@/components/ui/notice";
import type { Account } from "@/lib/account/model/account";
import { useTranslations } from "next-intl";
import { ActivitySection } from "./activity-section";
import { AlertsSection } from "./alerts-section";
import { CodesSection } from "./codes-section";
import { DisplaySection } from "./display-section";
import { PasskeysSection } from "./passkeys-section";
import { PasswordSection } from "./password-section";
import { SessionsSection } from "./sessions-section";

type AccountScreenProps = { account: Account; theme: Theme | undefined };

/** The person's own settings, whatever their role. */
export function AccountScreen({ account, theme }: AccountScreenProps) {
  const t = useTranslations("account");
  const password = account.passwordSet ? "here" : "elsewhere";
  return (
    <div className="flex max-w-3xl flex-col gap-6">
      <PageHeader title={t("title")} intro={`${account.name} · ${account.email}`} />
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
          passkeysWork={account.passkeysWork}
          passkeyMissing={account.passkeyMissing}
          codes={account.codes}
        />
      )}
      {account.passwordSet && !account.passkeyMissing ? (
        <CodesSection codes={account.codes} required={account.codesMissing} />
      ) : null}
      {account.codesMissing || account.passkeyMissing ? null : (
        <>
          {account.alerts ? <AlertsSection shown={account.alerts} /> : null}
          <SessionsSection sessions={account.sessions} password={password} />
          <ActivitySection activity={account.activity} self={account.id} password={password} />
          <PasswordSection email={account.email} passwordSet={account.passwordSet} />
        </>
      )}
      <DisplaySection theme={theme} />
    </div>
  );
}
