"use client";

import { Notice } from "@/components/ui/notice";
import { RadioList, type RadioListOption } from "@/components/forms/radio-list";
import type { Configuration, ConfiguredWebhook } from "@/lib/webhooks/model/configuration";
import {
  mayRemove,
  registeredAmong,
  webhookOf,
  whyNoneKept,
  type Doubt,
  type Draft,
} from "@/lib/webhooks/model/draft";
import { shownAuthorization, isSameAddress } from "@/lib/webhooks/model/side";
import { typesOf } from "@/lib/webhooks/model/types";
import { CircleAlert } from "lucide-react";
import { useTranslations } from "next-intl";
import { useId } from "react";
import { AuthorizationValueField } from "./authorization-value-field";
import { spacedFingerprint } from "@/components/webhooks/compare/fingerprint";
import { useAuthorizationWords } from "./use-authorization-words";
import { useFieldMessage } from "./use-field-message";
import type { WebhookForm } from "./use-webhook-form";

type Action = Draft["authorization"]["action"];

type AuthorizationFieldProps = {
  form: WebhookForm;
  draft: Draft;
  base: Configuration;
  /** Why the current value cannot be kept, as a field code. */
  keepProblem: string | undefined;
  /** What is asked about before anything is sent. */
  doubt: Doubt | null;
  /** What the button that goes on is called. */
  submitLabel: string;
  readOnly: boolean;
};

export function AuthorizationField({
  form,
  draft,
  base,
  keepProblem,
  doubt,
  submitLabel,
  readOnly,
}: AuthorizationFieldProps) {
  const t = useTranslations("webhooks.sheet");
  const messageOf = useFieldMessage();
  const keptWords = useKeptWords(base, draft.type);
  const errorId = useId();

  const registered = registeredAmong(base, draft.type);
  const anySet = registered.some(({ authorization }) => authorization.set);
  const removable = mayRemove(base, draft.type);
  const unkeepable = whyNoneKept(base, draft.type);
  const stays = registered.every(({ callbackUrl }) => isSameAddress(callbackUrl, draft.url));
  const problem = messageOf("keep", keepProblem);

  const replacing = (
    <AuthorizationValueField
      form={form}
      value={draft.authorization.value}
      list={base.list}
      readOnly={readOnly}
    />
  );
  const changing: RadioListOption<Action>[] = [
    {
      value: "keep",
      label: t("keep"),
      description: unkeepable ? messageOf("keep", unkeepable) : keptWords,
      // As long as the address is the same, nothing of it is written. What is chosen stays to be reached.
      disabled: unkeepable !== null && !stays && draft.authorization.action !== "keep",
    },
    {
      value: "replace",
      label: t("replace"),
      description: anySet ? t("replaceHint") : t("setHint"),
      expanded: replacing,
    },
    ...(removable
      ? [
          {
            value: "remove" as const,
            label: t("remove"),
            description: t(base.list === "proven" ? "removeHint" : "removeUnseen"),
          },
        ]
      : []),
  ];
  // The first value is set, not replaced; its name still ends with what it is called from then on.
  const registering: RadioListOption<Action>[] = [
    {
      value: "replace",
      label: t("set"),
      unseenLabel: t("setUnseen"),
      description: t("replaceHint"),
      expanded: replacing,
    },
    { value: "keep", label: t("setNone"), description: t("removeHint") },
  ];

  return (
    <div className="flex flex-col gap-1.5">
      <RadioList
        label={t("authorization")}
        value={draft.authorization.action}
        onChange={(action) => {
          if (readOnly) return;
          form.setValue("authorization.action", action, { shouldDirty: true });
          form.clearErrors("authorization");
        }}
        options={registered.length === 0 ? registering : changing}
        {...(problem ? { describedBy: errorId } : {})}
      />
      {problem ? (
        <p id={errorId} className="flex items-start gap-1.5 text-small text-bad">
          <CircleAlert aria-hidden className="mt-0.5 size-4 shrink-0" />
          <span className="min-w-0">{problem}</span>
        </p>
      ) : null}
      {doubt ? (
        <div ref={intoView}>
          <Notice role="alert" tone="warn" title={t(doubt === "none" ? "askNone" : "askWeak")}>
            <p>{t(doubt === "none" ? "askNoneText" : `warnings.${doubt}`)}</p>
            <p>{t("askNext", { button: submitLabel })}</p>
          </Notice>
        </div>
      ) : null}
    </div>
  );
}

/** The question is far from the button that brought it up. */
function intoView(element: HTMLDivElement | null) {
  element?.scrollIntoView({ block: "nearest" });
}

/** What "keep" keeps: one value, none, or each type its own. */
function useKeptWords(base: Configuration, appliesTo: Draft["type"]): string {
  const t = useTranslations("webhooks");
  const words = useAuthorizationWords();

  const kept = typesOf(appliesTo).map((type) => ({
    type,
    value: webhookOf(base, type)?.authorization ?? none,
  }));
  if (kept.every(({ value }) => !value.set)) return t("sheet.keepNone");
  const [first] = kept;
  if (first && kept.every(({ value }) => value.fingerprint === first.value.fingerprint)) {
    return first.value.fingerprint === null
      ? t("sheet.keepUnprinted")
      : t("sheet.keepOne", { fingerprint: spacedFingerprint(first.value.fingerprint) });
  }
  const list = kept.map(({ type, value }) =>
    t("sheet.keepEachItem", {
      type: t(`types.${type}`),
      value: words(shownAuthorization(value, base.list)),
    }),
  );
  return t("sheet.keepEach", { list: list.join("; ") });
}

const none: ConfiguredWebhook["authorization"] = { set: false, fingerprint: null };
