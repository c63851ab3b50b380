"use client";

import { PageHeader } from "@/components/layout/page-header";
import { Hint } from "@/components/ui/hint";
import { Section } from "@/components/ui/section";
import { curlCommands, type Receiver } from "@/lib/receiver-kit/model/snippets";
import { Info } from "lucide-react";
import { useTranslations } from "next-intl";
import { Fragment } from "react";
import { Code } from "./code";
import { Handlers } from "./handlers";

const example: Receiver = { type: "pix_in", url: "https://hooks.example.com/pix" };
const header = "Authorization: Bearer …";
const rules = ["compare", "refuse", "answer", "twice"] as const;

type ReceiverKitScreenProps = {
  receivers: readonly Receiver[];
  /** What the operator adds. */
  note: string | null;
};

/** What a partner's developer needs to receive notifications, and to refuse forged ones. */
export function ReceiverKitScreen({ receivers, note }: ReceiverKitScreenProps) {
  const t = useTranslations("receiverKit");
  const examples = receivers.length > 0 ? receivers : [example];
  return (
    <div className="flex flex-col gap-6">
      <PageHeader title={t("title")} intro={t("intro")} />
      {note === null ? null : <Hint icon={Info}>{note}</Hint>}
      <Section title={t("header.title")}>
        <p>{t("header.text")}</p>
        <Code unnamed name={t("header.title")} text={header} />
        <ul className="flex list-disc flex-col gap-1.5 pl-5">
          {rules.map((rule) => (
            <li key={rule}>{t(`rules.${rule}`)}</li>
          ))}
        </ul>
      </Section>
      <Section title={t("handler.title")}>
        <Handlers />
        <p className="text-small text-ink-2">{t("handler.tested")}</p>
      </Section>
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
    </div>
  );
}
