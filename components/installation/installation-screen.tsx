import { Card } from "@/components/ui/card";
import type { Health } from "@/lib/installation/model/health";
import { useTranslations } from "next-intl";
import { useId } from "react";
import { TriangleAlert } from "lucide-react";

/** What the installation is made of and how it answers. */
export function HealthCard({ health }: { health: Health }) {
  const t = useTranslations("installation.health");
  const id = useId();
  const { database, partners, alerts } = health;
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
    [
      t("alerts"),
      t(alerts.webhook ? "on" : "off"),
      alerts.waiting + alerts.givenUp > 0
        ? t("alertsUndelivered", { waiting: alerts.waiting, givenUp: alerts.givenUp })
        : "",
    ],
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

/** What each encryption key is still needed for, so that none is taken away too early, nor kept for nothing. */
function KeysFact({ keys }: { keys: Health["keys"] }) {
  const t = useTranslations("installation.health");
  return (
    <div className="min-w-0 sm:col-span-2 lg:col-span-3">
      <dt className="text-small text-ink-3">{t("keys")}</dt>
      {keys.map(({ id, standing, partners, people }) => (
        <dd key={id} className="flex flex-wrap items-center gap-x-2 [overflow-wrap:anywhere]">
          <span className="font-mono text-small">{id}</span>
          {standing === "missing" ? (
            <TriangleAlert aria-hidden className="size-4 text-warn" />
          ) : null}
          <span>
            {t(`standing.${standing}`, { count: partners, people: people ? "yes" : "no" })}
          </span>
        </dd>
      ))}
    </div>
  );
}
