"use client";

import { FailureText } from "@/components/shell/failure-text";
import { Button } from "@/components/ui/button";
import { Card, CardBody } from "@/components/ui/card";
import { Notice } from "@/components/ui/notice";
import type { Failure } from "@/lib/fetch-json";
import { Building2, SearchX } from "lucide-react";
import { useTranslations } from "next-intl";
import type { ReactNode } from "react";
import type { ListReader } from "./list-reader";

export function NoPartners({ reader }: { reader: ListReader }) {
  const t = useTranslations("partners.empty");
  return (
    <Empty icon={<Building2 aria-hidden />} title={t("title")}>
      {t(reader === "operator" ? "operator" : "others")}
    </Empty>
  );
}

export function NothingFound({ onClear }: { onClear: () => void }) {
  const t = useTranslations("partners.nothingFound");
  return (
    <Empty
      icon={<SearchX aria-hidden />}
      title={t("title")}
      action={<Button onClick={onClear}>{t("clear")}</Button>}
    >
      {t("text")}
    </Empty>
  );
}

export function Unavailable({ failure, onRetry }: { failure: Failure; onRetry: () => void }) {
  const t = useTranslations();
  return (
    <Notice
      tone="bad"
      role="alert"
      title={t("partners.unavailable.title")}
      actions={<Button onClick={onRetry}>{t("common.tryAgain")}</Button>}
    >
      <FailureText failure={failure} unreachable={t("partners.unavailable.unreachable")} />
    </Notice>
  );
}

type EmptyProps = { icon: ReactNode; title: string; action?: ReactNode; children: ReactNode };

function Empty({ icon, title, action, children }: EmptyProps) {
  return (
    <Card dashed>
      <CardBody className="flex flex-col items-center gap-3 px-6 py-12 text-center">
        <span className="inline-flex size-12 items-center justify-center rounded-full bg-brand-soft text-brand [&>svg]:size-6">
          {icon}
        </span>
        <h2 className="text-base font-semibold">{title}</h2>
        <p className="max-w-md text-pretty text-ink-2">{children}</p>
        {action}
      </CardBody>
    </Card>
  );
}
