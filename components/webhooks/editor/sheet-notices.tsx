"use client";

import { listOf } from "@/components/webhooks/types-list";
import { Sentences } from "@/components/ui/sentences";
import { Notice } from "@/components/ui/notice";
import type { ConfiguredWebhook } from "@/lib/webhooks/model/configuration";
import { AbsoluteTime } from "@/components/ui/time";
import { useEnvironmentName } from "@/components/layout/nav/environment-name";
import type { SheetAddress } from "@/lib/webhooks/model/sheet-address";
import type { Source } from "@/lib/webhooks/model/source";
import { typesOf, type AppliesTo } from "@/lib/platform/payment-service/contract/terms";
import { CopyPlus, Undo2 } from "lucide-react";
import { useFormatter, useTranslations } from "next-intl";
import { originOf } from "@/lib/webhooks/model/rules/callback-url";
import type { TypeDiff } from "@/lib/webhooks/model/compare";
import { useId } from "react";
import { DiffBlock } from "@/components/webhooks/compare/diff-block";

type SourceNoticeProps = {
  address: SheetAddress;
  source: Source | null;
  type: AppliesTo;
  /** Another server may know the earlier Authorization value, so nobody should type it again. */
  exposed: boolean;
};

/** Says where the draft's address comes from, if it is not the registered one, and what was not copied with it. */
export function SourceNotice({ address: { from }, source, type, exposed }: SourceNoticeProps) {
  const all = useTranslations();
  const t = useTranslations("webhooks");
  const environmentName = useEnvironmentName();
  const time = () => <AbsoluteTime at={source?.at ?? ""} />;
  const [kind, name = ""] = from?.split(".") ?? [];
  if (kind === "previous" || (kind === "entry" && source))
    return (
      <Notice
        tone="info"
        icon={<Undo2 aria-hidden />}
        title={t(kind === "entry" ? "source.entry" : "outside.restoring")}
      >
        <Sentences
          of={[
            t.rich(kind === "entry" ? "source.entryText" : "outside.restoringText", { time }),
            exposed ? null : t("source.typeEarlier"),
          ]}
        />
      </Notice>
    );
  if (!from || !source) return null;
  const environment = environmentName(name);
  const urls = source.versions.filter((version) => typesOf(type).includes(version.type));
  const differ = new Set(urls.map(({ callbackUrl }) => callbackUrl)).size > 1;
  return (
    <Notice
      tone={urls.length === 0 || source.stale ? "warn" : "info"}
      icon={<CopyPlus aria-hidden />}
      title={t("source.environment", { environment })}
    >
      <p>
        <Sentences
          of={[
            urls.length === 0
              ? t("source.nothing", { environment, types: listOf(typesOf(type), all) })
              : differ
                ? t("source.differ", { environment })
                : t.rich("source.environmentText", { environment, time }),
          ]}
        />
      </p>
      {source.stale ? <p className="mt-1">{t("source.stale", { environment })}</p> : null}
    </Notice>
  );
}

/** Another server may know the value, so restoring the address is not enough. */
export function ExposedValueNotice({ hosts }: { hosts: readonly string[] }) {
  const t = useTranslations("webhooks.sheet.exposed");
  const format = useFormatter();
  return (
    <Notice tone="warn" title={t("title")}>
      <Sentences
        of={[
          hosts.length > 0 ? t("text", { hosts: format.list(hosts) }) : t("textBack"),
          t("next"),
        ]}
      />
    </Notice>
  );
}

type NewOriginNoticeProps = {
  url: string;
  /** The types whose messages go to another origin now. */
  moved: readonly ConfiguredWebhook[];
  /** The save sends the current Authorization values to the new origin, which only an admin may do. */
  keeps: boolean;
};

/** A new origin means another receiver: the most costly mistake, and the usual fraud. */
export function NewOriginNotice({ url, moved, keeps }: NewOriginNoticeProps) {
  const t = useTranslations("webhooks.sheet.newOrigin");
  const format = useFormatter();
  const origin = originOf(url);
  if (origin === null || moved.length === 0) return null;
  const before = new Set(moved.map(({ callbackUrl }) => originOf(callbackUrl) ?? callbackUrl));
  return (
    <Notice tone="warn" title={t("title")}>
      <p>{t("text", { origin, before: format.list(before) })}</p>
      {keeps && moved.some(({ authorization }) => authorization.set) ? (
        <p className="mt-1">{t("keeps", { origin })}</p>
      ) : null}
    </Notice>
  );
}

type ChangePreviewProps = {
  diffs: readonly TypeDiff[];
  hasUrl: boolean;
  /** The id of the text that says nothing would change; null if something would. */
  nothingId: string | null;
};

/** Every type of the save, before and after. */
export function ChangePreview({ diffs, hasUrl, nothingId }: ChangePreviewProps) {
  const t = useTranslations("webhooks");
  const headingId = useId();
  return (
    <section aria-labelledby={headingId} className="flex flex-col gap-2">
      <h3 id={headingId} className="text-small font-medium">
        {t("sheet.changes")}
      </h3>
      {!hasUrl ? (
        <p className="rounded-control border border-dashed border-line-strong px-3 py-2.5 text-small text-ink-3">
          {t("sheet.changesUnknown")}
        </p>
      ) : (
        <>
          {nothingId === null ? null : (
            <p id={nothingId} className="text-small text-ink-2">
              {t("sheet.changesNothing")}
            </p>
          )}
          {diffs.map(({ type, effect, before, after }) => (
            <DiffBlock
              key={type}
              heading={`${t(`types.${type}`)} · ${t(`sheet.effects.${effect}`)}`}
              before={before}
              after={after}
            />
          ))}
        </>
      )}
    </section>
  );
}
