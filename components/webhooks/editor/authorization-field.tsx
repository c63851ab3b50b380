"use client";

import { Hint } from "@/components/ui/hint";
import { Notice } from "@/components/ui/notice";
import { RadioList, type RadioListOption } from "@/components/forms/choice";
import type { Configuration, ConfiguredWebhook } from "@/lib/webhooks/model/configuration";
import {
  type Draft,
  isValueOfBoth,
  keepBlockedFor,
  mayRemove,
  type Question,
} from "@/lib/webhooks/model/draft";
import { registeredAmong, webhookOf } from "@/lib/webhooks/model/registered";
import { shownAuthorization } from "@/lib/webhooks/model/compare";
import { isSameAddress } from "@/lib/webhooks/model/webhook-version";
import { limits, typesOf } from "@/lib/platform/payment-service/contract/terms";
import { Code } from "@/components/receiver-kit/code";
import { environmentLine } from "@/lib/receiver-kit/model/environment-line";
import { CircleAlert, Dices } from "lucide-react";
import { useTranslations } from "next-intl";
import { useId, useState } from "react";
import {
  spacedFingerprint,
  useAuthorizationWords,
} from "@/components/webhooks/compare/use-authorization-words";
import { SheetField } from "./sheet-field";
import type { WebhookForm } from "./use-webhook-sheet";
import { Button } from "@/components/ui/button";
import { intoView } from "@/components/ui/focus-content";
import { CopyButton } from "@/components/ui/copy-button";
import { noLogin } from "@/components/forms/text-input";
import { useFieldError } from "@/components/forms/use-field-error";
import {
  checkAuthorizationValue,
  generateAuthorization,
} from "@/lib/webhooks/model/rules/authorization-value";

type Action = Draft["authorization"]["action"];

type AuthorizationFieldProps = {
  form: WebhookForm;
  draft: Draft;
  base: Configuration;
  /** Why the current value cannot be kept, as a field code. */
  keepProblem: string | undefined;
  /** What the person has yet to confirm. */
  asked: Question | null;
  /** The label of the submit button. */
  submitLabel: string;
  readOnly: boolean;
};

export function AuthorizationField(props: AuthorizationFieldProps) {
  const { form, draft, base, keepProblem, asked, submitLabel, readOnly } = props;
  const t = useTranslations("webhooks.sheet");
  const errorOf = useFieldError("webhooks.fieldErrors.keep");
  const keptWords = useKeptWords(base, draft.type);
  const errorId = useId();

  const registered = registeredAmong(base, draft.type);
  const anySet = registered.some(({ authorization }) => authorization.set);
  const showsAll = registered.every(({ authorization }) => authorization.set);
  const removable = mayRemove(base, draft.type);
  const unkeepable = keepBlockedFor(base, draft.type);
  const stays = registered.every(({ callbackUrl }) => isSameAddress(callbackUrl, draft.url));
  const problem = errorOf(keepProblem);

  const replacing = (
    <AuthorizationValueField
      form={form}
      value={draft.authorization.value}
      rotates={removable}
      readOnly={readOnly}
    />
  );
  const changing: RadioListOption<Action>[] = [
    {
      value: "keep",
      label: t("keep"),
      description: unkeepable ? errorOf(unkeepable) : keptWords,
      // Stays enabled while the address is unchanged, and while it is the chosen option.
      disabled: unkeepable !== null && !stays && draft.authorization.action !== "keep",
    },
    {
      value: "replace",
      label: t("replace"),
      description: anySet ? t("replaceHint") : t("setHint"),
      expanded: replacing,
    },
    {
      value: "remove",
      label: t("remove"),
      description: t(showsAll ? "removeHint" : "removeUnseen"),
    },
  ];
  // The first value is set, not replaced. The radio's accessible name adds that it can be replaced later.
  const registering: RadioListOption<Action>[] = [
    {
      value: "replace",
      label: (
        <>
          <span>{t("set")}</span>
          <span className="sr-only">{` ${t("setUnseen")}`}</span>
        </>
      ),
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
          const choosesType = form.formState.dirtyFields.type === true;
          if (action === "replace" && !choosesType && isValueOfBoth(base, draft.url))
            form.setValue("type", "both", { shouldDirty: true });
        }}
        options={
          registered.length === 0
            ? registering
            : changing.filter(({ value }) => value !== "remove" || removable)
        }
        describedBy={problem ? errorId : undefined}
      />
      {problem ? (
        <Hint id={errorId} tone="bad" icon={CircleAlert}>
          {problem}
        </Hint>
      ) : null}
      {asked ? (
        <div key={asked} ref={intoView}>
          <Notice role="alert" tone="warn" title={t(`ask.${asked}.title`)}>
            <p>{t(asked === "doubtful_value" ? "ask.asEntered" : "ask.anybody")}</p>
            <p>{t(`ask.${asked}.next`, { button: submitLabel })}</p>
          </Notice>
        </div>
      ) : null}
    </div>
  );
}

/** Says what "keep" keeps: one value, none, or a different one for each type. */
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
      value: words(shownAuthorization(value)),
    }),
  );
  return t("sheet.keepEach", { list: list.join("; ") });
}

const none: ConfiguredWebhook["authorization"] = { set: false, fingerprint: null };

type AuthorizationValueFieldProps = {
  form: WebhookForm;
  value: string;
  /** A receiver asks for another value now. */
  rotates: boolean;
  readOnly: boolean;
};

/**
 * The new value, with the exact header line that receivers will get. The value is shown while it is typed: people
 * compare it with what their receiver expects, and few can read it afterwards.
 */
function AuthorizationValueField(props: AuthorizationValueFieldProps) {
  const { form, value, rotates, readOnly } = props;
  const t = useTranslations("webhooks.sheet");
  const isValid = checkAuthorizationValue(value).ok;
  const line = rotates && isValid ? environmentLine("PIX_AUTHORIZATION_NEXT", value) : null;
  const [generated, setGenerated] = useState(false);
  return (
    <div className="flex flex-col gap-2">
      <SheetField
        form={form}
        name="authorization.value"
        value={value}
        check={checkAuthorizationValue(value)}
        limit={limits.authorization}
        readOnly={readOnly}
        input={noLogin}
      >
        <Button
          icon={<Dices aria-hidden />}
          disabled={readOnly}
          onClick={() => {
            const options = { shouldDirty: true, shouldValidate: true };
            form.setValue("authorization.value", generateAuthorization(), options);
            setGenerated(true);
          }}
        >
          {t("generate")}
        </Button>
      </SheetField>
      <span aria-live="polite" className="sr-only">
        {generated ? t("generated") : ""}
      </span>
      <div className="flex min-h-10 items-center justify-between gap-2 rounded-control bg-sunken py-1 pr-1 pl-2.5">
        <p className="min-w-0 text-small">
          <span className="text-ink-3">{t("preview")}</span>{" "}
          <code translate="no" className="font-mono text-xs break-all whitespace-pre-wrap text-ink">
            {`Authorization: ${value}`}
          </code>
        </p>
        {value ? <CopyButton text={value} label={t("copyValue")} /> : null}
      </div>
      {line ? (
        <>
          <p className="text-small text-ink-2">{t("acceptBoth")}</p>
          <Code unnamed name={t("line")} copyLabel={t("copyLine")} text={line} />
        </>
      ) : null}
    </div>
  );
}
