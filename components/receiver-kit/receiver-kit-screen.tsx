"use client";

import { Field } from "@/components/forms/field";
import { Select } from "@/components/forms/text-input";
import { PageHeader } from "@/components/layout/page-header";
import { CopyButton } from "@/components/ui/copy-button";
import { Section } from "@/components/ui/section";
import { curlCommands, snippets, type Receiver } from "@/lib/receiver-kit/model/snippets";
import { useTranslations } from "next-intl";
import { Fragment, useState } from "react";

const example: Receiver = { type: "pix_in", url: "https://hooks.example.com/pix" };
const header = "Authorization: Bearer …";
const rules = ["compare", "refuse", "answer", "twice"] as const;

/** What a partner's developer needs to receive notifications, and to refuse forged ones. */
export function ReceiverKitScreen({ receivers }: { receivers: readonly Receiver[] }) {
  const t = useTranslations("receiverKit");
  const examples = receivers.length > 0 ? receivers : [example];
  return (
    <div className="flex flex-col gap-6">
      <PageHeader title={t("title")} intro={t("intro")} />
      <Section title={t("header.title")}>
        <p>{t("header.text")}</p>
        <Code unnamed name={t("header.title")} text={header} />
        <ul className="flex list-disc flex-col gap-1.5 pl-5">
          {rules.map((rule) => (
            <li key={rule}>{t(`rules.${rule}`)}</li>
          ))}
        </ul>
      </Section>
      <Handlers />
      <Section title={t("curl.title")}>
        <p>{t(receivers.length > 0 ? "curl.text" : "curl.textExample")}</p>
        {examples.map((receiver) => {
          const type = t(`curl.types.${receiver.type}`);
          const { without, withValue } = curlCommands(receiver);
          return (
            <Fragment key={receiver.type}>
              <Code name={t("curl.without", { type })} text={without} />
              <Code name={t("curl.with", { type })} text={withValue} />
            </Fragment>
          );
        })}
        <p className="text-small text-ink-2">{t("curl.note")}</p>
      </Section>
      <Section title={t("change.title")}>
        <ol className="flex list-decimal flex-col gap-1.5 pl-5">
          {(["next", "save", "check", "drop"] as const).map((step) => (
            <li key={step}>{t(`change.${step}`)}</li>
          ))}
        </ol>
      </Section>
    </div>
  );
}

function Handlers() {
  const t = useTranslations("receiverKit.handler");
  const [id, setId] = useState(snippets[0]?.id ?? "");
  const snippet = snippets.find((each) => each.id === id);
  return (
    <Section title={t("title")}>
      <div className="max-w-72">
        <Field label={t("choose")}>
          {(control) => (
            <Select {...control} value={id} onChange={setId}>
              {snippets.map((each) => (
                <option key={each.id} value={each.id}>
                  {each.label}
                </option>
              ))}
            </Select>
          )}
        </Field>
      </div>
      {snippet ? (
        <>
          <Code name={snippet.file} text={snippet.code} />
          <p className="text-small text-ink-2">{t("tested")}</p>
        </>
      ) : null}
    </Section>
  );
}

type CodeProps = {
  name: string;
  /** Hides the name, which the heading above gives. */ unnamed?: boolean;
  text: string;
};

/** Long lines of code scroll instead of wrapping. */
function Code({ name, unnamed = false, text }: CodeProps) {
  const t = useTranslations("receiverKit");
  return (
    <div className="flex min-w-0 flex-col gap-1.5">
      {unnamed ? null : <p className="font-medium">{name}</p>}
      <div className="flex items-start gap-2 rounded-control border border-line bg-sunken">
        <pre
          // Focusable, so that it can be scrolled with the keyboard.
          tabIndex={0}
          role="group"
          aria-label={name}
          className="min-w-0 flex-1 overflow-x-auto px-3 py-2.5 font-mono text-[0.8125rem] leading-5"
        >
          <code>{text.trimEnd()}</code>
        </pre>
        <CopyButton className="m-1" text={text} label={t("copy", { name })} />
      </div>
    </div>
  );
}
