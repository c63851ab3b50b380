"use client";

import { Button } from "@/components/ui/button";
import { CopyButton } from "@/components/ui/copy-button";
import { confirmedCodesSchema, type BegunCodes } from "@/lib/account/account";
import { useTranslations } from "next-intl";
import { useEffect, useRef, useState, type FormEvent } from "react";
import { AccountFailure } from "./account-failure";
import { CodeField } from "./code-field";
import { fieldCode, useAccountChange } from "./use-account-change";

type ConfirmCodesFormProps = {
  begun: BegunCodes;
  onConfirmed: (recoveryCodes: readonly string[]) => void;
  onCancel: () => void;
};

/** The secret for the app, as a picture and as text, and the code that proves that the app has it. */
export function ConfirmCodesForm({ begun, onConfirmed, onCancel }: ConfirmCodesFormProps) {
  const t = useTranslations();
  const heading = useRef<HTMLParagraphElement>(null);
  const code = useRef<HTMLInputElement>(null);
  const [missing, setMissing] = useState(false);
  const { pending, failure, change } = useAccountChange(confirmedCodesSchema);
  useEffect(() => heading.current?.focus(), []);

  async function submit(event: FormEvent) {
    event.preventDefault();
    const typed = code.current?.value.trim() ?? "";
    setMissing(typed === "");
    const confirmed =
      typed && (await change({ path: "one-time-codes", method: "PUT", body: { code: typed } }));
    if (confirmed) onConfirmed(confirmed.recoveryCodes);
    else code.current?.focus();
  }

  return (
    <form
      method="post"
      noValidate
      onSubmit={(event) => void submit(event)}
      className="flex flex-col gap-4"
    >
      <p ref={heading} tabIndex={-1} className="text-pretty outline-none">
        {t("account.codes.scan")}
      </p>
      <div className="flex flex-wrap items-center gap-x-6 gap-y-4">
        <Picture picture={begun.picture} label={t("account.codes.picture")} />
        <div className="flex min-w-0 flex-1 basis-56 flex-col gap-2">
          <p className="text-small text-ink-2">{t("account.codes.secret")}</p>
          <div className="flex items-center gap-1">
            <code className="min-w-0 font-mono text-small [overflow-wrap:anywhere]">
              {begun.secret}
            </code>
            <CopyButton
              text={begun.secret.replaceAll(" ", "")}
              label={t("account.codes.copySecret")}
              copiedLabel={t("common.copied")}
              failedLabel={t("common.copyFailed")}
            />
          </div>
          <a href={begun.uri} className="self-start text-small text-brand underline">
            {t("account.codes.openApp")}
          </a>
        </div>
      </div>
      <AccountFailure failure={failure} />
      <CodeField
        ref={code}
        label={t("account.codes.code")}
        hint={t("account.codes.codeHint")}
        code={missing ? "required" : fieldCode(failure, "code")}
      />
      <div className="flex flex-wrap gap-2">
        <Button type="submit" variant="primary" pending={pending}>
          {t("account.codes.confirm")}
        </Button>
        <Button onClick={onCancel}>{t("common.cancel")}</Button>
      </div>
    </form>
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
