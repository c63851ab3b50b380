"use client";

import { FailureNotice } from "@/components/forms/failure-notice";
import { Field } from "@/components/forms/field";
import { LineInput } from "@/components/forms/line-input";
import { Segmented } from "@/components/forms/segmented";
import { useFieldError } from "@/components/forms/use-field-error";
import { useEnvironmentName } from "@/components/layout/nav/environment-name";
import { Button } from "@/components/ui/button";
import { Notice } from "@/components/ui/notice";
import { Sheet } from "@/components/ui/sheet";
import { AbsoluteTime } from "@/components/ui/time";
import { replacedValuesQuery } from "@/lib/endpoint-check/client/query";
import { useEndpointCheck } from "@/lib/endpoint-check/client/use-check";
import type { EndpointCheck } from "@/lib/endpoint-check/model/check";
import { isCheckedFully } from "@/lib/endpoint-check/model/verdict";
import { checkAuthorizationValue } from "@/lib/webhooks/model/rules/authorization-value";
import type { WebhookType } from "@/lib/webhooks/model/types";
import { useQuery } from "@tanstack/react-query";
import { useTranslations } from "next-intl";
import { useId, useState } from "react";
import { CheckResult } from "./check-result";

type ReplacedPanelProps = {
  /** One type, or those whose value was changed together. */
  types: readonly WebhookType[];
  environmentRef: { partner: string; environment: string };
  demo: boolean;
  /** The receiver refuses the value that this type had before its last change. */
  onRefused: (type: WebhookType) => void;
  onClose: () => void;
};

/**
 * The last step of changing a value. First the registered value, then the old one: a receiver that refuses both has not
 * finished. Types that were changed together are checked one after the other, each by its own press: they need not have
 * had the same value before.
 */
export function ReplacedPanel({
  types,
  environmentRef,
  demo,
  onRefused,
  onClose,
}: ReplacedPanelProps) {
  const t = useTranslations();
  const errorOf = useFieldError("webhooks.fieldErrors.value");
  const environmentName = useEnvironmentName();
  const formId = useId();
  const [value, setValue] = useState("");
  const [tried, setTried] = useState(false);
  const [chosen, setChosen] = useState<WebhookType | null>(null);
  const [refused, setRefused] = useState<readonly WebhookType[]>([]);
  // The panel opens for at least one.
  const type = chosen ?? types[0] ?? "pix_in";
  const registered = useEndpointCheck(environmentRef);
  const old = useEndpointCheck(environmentRef);
  const pending = registered.pending || old.pending;
  const checked = checkAuthorizationValue(value);
  const error = tried && !checked.ok ? checked.code : undefined;

  async function run() {
    setTried(true);
    if (!checked.ok || pending) return;
    old.reset();
    const answer = await registered.send({ type });
    if (answer?.kind !== "done" || !isCheckedFully(answer.result)) return;
    const second = await old.send({ type, replaced: value });
    if (second?.kind !== "done" || !isProof(second.result)) return;
    setRefused((before) => [...before, type]);
    onRefused(type);
  }

  /** The typed text stays: often both types had the same value. */
  function choose(next: WebhookType) {
    if (pending) return;
    setChosen(next);
    setTried(false);
    registered.reset();
    old.reset();
  }

  const first = registered.result;
  const second = pending ? null : old.result;
  const stopped = !pending && first !== null && !isCheckedFully(first);
  const left = types.find((one) => one !== type && !refused.includes(one));
  return (
    <Sheet
      open
      title={t("endpointCheck.replaced.title")}
      description={t("endpointCheck.place", {
        type: t(`webhooks.types.${type}`),
        environment: environmentName(environmentRef.environment),
      })}
      onCloseRequest={onClose}
      returnTo={() => document.querySelector<HTMLElement>(`[data-checks="${type}"]`)}
      footer={
        <>
          <p className="mr-auto text-small text-ink-2">
            {second ? t("endpointCheck.recorded") : null}
          </p>
          <Button variant="ghost" onClick={onClose}>
            {t("common.close")}
          </Button>
          <Button variant="primary" type="submit" form={formId} pending={pending}>
            {t("endpointCheck.replaced.button")}
          </Button>
        </>
      }
    >
      <form
        id={formId}
        noValidate
        autoComplete="off"
        className="flex flex-col gap-5"
        onSubmit={(event) => {
          event.preventDefault();
          void run();
        }}
      >
        {types.length > 1 ? (
          <Segmented
            label={t("endpointCheck.replaced.of")}
            value={type}
            onChange={choose}
            options={types.map((one) => ({
              value: one,
              label: t(`webhooks.types.${one}`),
              disabled: pending,
            }))}
          />
        ) : null}
        <LastReplaced environmentRef={environmentRef} type={type} />
        <p className="text-ink-2">{t("endpointCheck.replaced.before")}</p>
        <Field
          label={t("endpointCheck.replaced.value")}
          error={error === "required" ? t("endpointCheck.replaced.required") : errorOf(error)}
          hint={error ? undefined : t("endpointCheck.replaced.hint")}
        >
          {(control) => (
            <LineInput
              {...control}
              value={value}
              readOnly={pending}
              onChange={(event) => {
                setValue(event.target.value);
                old.reset();
              }}
              data-1p-ignore
              data-lpignore="true"
            />
          )}
        </Field>
        <div aria-live="polite" aria-busy={pending} className="flex flex-col gap-5">
          {pending ? <p className="text-ink-2">{t("endpointCheck.running")}</p> : null}
          {pending ? null : (
            <FailureNotice
              failure={registered.failure ?? old.failure}
              title={t("endpointCheck.failed")}
              unreachable={t("endpointCheck.unreachable")}
            />
          )}
          {stopped ? (
            <>
              <Notice tone="warn" title={t("endpointCheck.replaced.stopped")}>
                {t("endpointCheck.replaced.stoppedText")}
              </Notice>
              <CheckResult check={first} demo={demo} />
            </>
          ) : null}
          {second ? (
            <>
              <Outcome registered={first} old={second} one={left ? type : null} />
              {left && isProof(second) ? (
                <Notice
                  tone="info"
                  title={t("endpointCheck.replaced.left", { type: t(`webhooks.types.${left}`) })}
                  actions={
                    <Button size="sm" onClick={() => choose(left)}>
                      {t("endpointCheck.replaced.next", { type: t(`webhooks.types.${left}`) })}
                    </Button>
                  }
                >
                  {t("endpointCheck.replaced.leftText")}
                </Notice>
              ) : null}
              <CheckResult check={second} demo={demo} />
            </>
          ) : null}
        </div>
      </form>
    </Sheet>
  );
}

/** The value registered just before the present one, and the receiver refuses it. */
function isProof({ verdict, replaced }: EndpointCheck): boolean {
  return verdict === "replaced_refused" && replaced === "known";
}

type OutcomeProps = {
  registered: EndpointCheck | null;
  old: EndpointCheck;
  /** Only this type's change is complete; null: the whole change is. */
  one: WebhookType | null;
};

/** What both checks say together; a refusal only says something about the value that was replaced last. */
function Outcome({ registered, old, one }: OutcomeProps) {
  const t = useTranslations("endpointCheck.replaced");
  const types = useTranslations("webhooks.types");
  if (old.replaced === "current")
    return (
      <Notice tone="warn" title={t("current")}>
        {t("currentText")}
      </Notice>
    );
  if (old.verdict !== "replaced_refused") return null;
  if (!isProof(old))
    return (
      <Notice tone="warn" title={t("unknown")}>
        {t(old.replaced === "earlier" ? "earlierText" : "unknownText")}
      </Notice>
    );
  return (
    <Notice tone="ok" title={one ? t("completeOf", { type: types(one) }) : t("complete")}>
      {t(registered?.verdict === "enforced" ? "completeText" : "completeUntried")}
    </Notice>
  );
}

/** How far the change is, by the history. */
function LastReplaced({
  environmentRef,
  type,
}: Pick<ReplacedPanelProps, "environmentRef"> & { type: WebhookType }) {
  const t = useTranslations("endpointCheck.replaced");
  const { data } = useQuery(replacedValuesQuery(environmentRef));
  const last = data?.replaced.find((one) => one.type === type);
  if (!data) return null;
  if (!last) return <Notice tone="info">{t("never")}</Notice>;
  const time = () => <AbsoluteTime at={last.at} />;
  return last.refused ? (
    <Notice tone="ok">
      {t.rich("proven", {
        time,
        proof: () => <AbsoluteTime at={last.refused?.at ?? last.at} />,
      })}
    </Notice>
  ) : (
    <Notice tone="info">{t.rich("notProven", { time })}</Notice>
  );
}
