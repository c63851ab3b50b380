"use client";

import { CopyButton } from "@/components/ui/copy-button";
import { confirmedCodesSchema, type BegunCodes } from "@/lib/account/model/account";
import { useTranslations } from "next-intl";
import { AccountForm } from "./account-form";
import { CodeField } from "./code-field";

type ConfirmCodesFormProps = {
  begun: BegunCodes;
  onConfirmed: (recoveryCodes: readonly string[]) => void;
  onCancel: () => void;
};

/** The secret for the app, as a picture and as text, and a field for the code that proves that the app has it. */
export function ConfirmCodesForm({ begun, onConfirmed, onCancel }: ConfirmCodesFormProps) {
  const t = useTranslations("account.codes");
  return (
    <AccountForm
      request={{ path: "one-time-codes", method: "PUT" }}
      answer={confirmedCodesSchema}
      fields={["code"]}
      submit={{ label: t("confirm"), variant: "primary" }}
      onDone={({ recoveryCodes }) => onConfirmed(recoveryCodes)}
      onCancel={onCancel}
    >
      {(codeOf) => (
        <>
          <p tabIndex={-1} className="text-pretty outline-none">
            {t("scan")}
          </p>
          <Secret begun={begun} />
          <CodeField label={t("code")} hint={t("codeHint")} code={codeOf("code")} />
        </>
      )}
    </AccountForm>
  );
}

function Secret({ begun: { picture, secret, uri } }: { begun: BegunCodes }) {
  const t = useTranslations();
  return (
    <div className="flex flex-wrap items-center gap-x-6 gap-y-4">
      <Picture picture={picture} label={t("account.codes.picture")} />
      <div className="flex min-w-0 flex-1 basis-56 flex-col gap-2">
        <p className="text-small text-ink-2">{t("account.codes.secret")}</p>
        <div className="flex items-center gap-1">
          <code className="min-w-0 font-mono text-small [overflow-wrap:anywhere]">{secret}</code>
          <CopyButton text={secret.replaceAll(" ", "")} label={t("account.codes.copySecret")} />
        </div>
        <a
          href={uri}
          className="inline-flex min-h-6 items-center self-start text-small text-brand underline"
        >
          {t("account.codes.openApp")}
        </a>
      </div>
    </div>
  );
}

/** Dark on white in both themes: cameras expect it. */
function Picture({ picture, label }: { picture: BegunCodes["picture"]; label: string }) {
  return (
    <svg
      role="img"
      aria-label={label}
      viewBox={`0 0 ${picture.size} ${picture.size}`}
      shapeRendering="crispEdges"
      className="size-52 shrink-0 rounded-control border border-line"
    >
      <rect width={picture.size} height={picture.size} fill="#ffffff" />
      <path d={picture.path} fill="#000000" />
    </svg>
  );
}
