import { Card } from "@/components/ui/card";
import type { Health } from "@/lib/installation/model/health";
import { useTranslations } from "next-intl";
import { useId } from "react";
import { KeysFact } from "./keys-fact";

/** What the installation is made of and how it answers. */
export function HealthCard({ health }: { health: Health }) {
  const t = useTranslations("installation.health");
  const id = useId();
  const { database, partners } = health;
  const facts = [
    [t("version"), t("versionValue", { version: health.version, node: health.node })],
    [
      t("database"),
      t("databaseValue", { engine: database.engine, ms: database.answeredInMs }),
      t("schema", { schema: database.schema }),
    ],
    [t("partners"), t("partnersValue", partners)],
    [t("people"), String(health.people)],
    [t("mail"), t(health.mail ? "on" : "off")],
    [t("singleSignOn"), t(health.singleSignOn ? "on" : "off")],
  ];
  return (
    <Card aria-labelledby={id}>
      <h2 id={id} className="px-5 pt-4 text-base font-semibold">
        {t("title")}
      </h2>
      <dl className="grid gap-x-6 gap-y-4 px-5 py-4 sm:grid-cols-2 lg:grid-cols-3">
        {facts.map(([name, value, more]) => (
          <div key={name} className="min-w-0">
            <dt className="text-small text-ink-3">{name}</dt>
            <dd className="[overflow-wrap:anywhere]">{value}</dd>
            {more ? (
              <dd className="text-small [overflow-wrap:anywhere] text-ink-3">{more}</dd>
            ) : null}
          </div>
        ))}
        <KeysFact keys={health.keys} />
      </dl>
    </Card>
  );
}
