"use client";

import { Button } from "@/components/ui/button";
import { CopyButton } from "@/components/ui/copy-button";
import { Notice } from "@/components/ui/notice";
import { usePageLeft } from "@/components/ui/use-page-left";
import { useTranslations } from "next-intl";
import { useEffect, useRef } from "react";

type RecoveryCodesProps = {
  codes: readonly string[];
  /** What has just come about. */
  after: "setUp" | "renewed";
  onKept: () => void;
};

/** The way in without the app, this once: nobody can read them back afterwards. */
export function RecoveryCodes({ codes, after, onKept }: RecoveryCodesProps) {
  const t = useTranslations();
  const notice = useRef<HTMLDivElement>(null);
  useEffect(() => notice.current?.focus(), []);
  usePageLeft(onKept);
  return (
    <div className="flex flex-col gap-4">
      <Notice
        ref={notice}
        tabIndex={-1}
        tone="warn"
        title={t("account.codes.keep.title")}
        className="outline-none"
      >
        {t(`account.codes.keep.${after}`)} {t("account.codes.keep.text")}
      </Notice>
      <div className="flex max-w-md items-start justify-between gap-2 rounded-control border border-line bg-sunken p-3">
        <ul
          aria-label={t("account.codes.keep.list")}
          className="grid gap-x-8 gap-y-1 font-mono text-small sm:grid-cols-2"
        >
          {codes.map((code) => (
            <li key={code}>{code}</li>
          ))}
        </ul>
        <CopyButton text={codes.join("\n")} label={t("account.codes.keep.copy")} />
      </div>
      <Button variant="primary" className="self-start" onClick={onKept}>
        {t("account.codes.keep.done")}
      </Button>
    </div>
  );
}
