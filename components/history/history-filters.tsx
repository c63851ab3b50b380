"use client";

import { usePersonName } from "@/components/ui/person-name";
import { Button, Spinner } from "@/components/ui/button";
import { cn } from "@/components/ui/cn";
import { yieldsFocus } from "@/components/ui/focus-content";
import { Field } from "@/components/forms/field";
import { Select, TextInput, useEarlyInput } from "@/components/forms/text-input";
import type { HistoryFilters } from "@/lib/history/model/address";
import { historyPath, outsideActor, shows, type HistoryScope } from "@/lib/history/model/filters";
import { daysOf, periods } from "@/lib/history/model/periods";
import { webhookTypes } from "@/lib/platform/payment-service/contract/terms";
import { ListFilter } from "lucide-react";
import { useNow, useTimeZone, useTranslations } from "next-intl";
import { useRouter } from "next/navigation";
import { useEffect, useEffectEvent, useId, useOptimistic, useState, useTransition } from "react";

/** As wide as the widest option in any language. */
const widths = { show: "sm:w-56", type: "sm:w-36", actor: "sm:w-44" };

type HistoryFiltersProps = {
  scope: HistoryScope;
  /** The history's URL without filters. */
  basePath: string;
  filters: HistoryFilters;
  /** Who acted last in this history; `more`: others, too. */
  actors: { people: readonly { id: string; name: string }[]; more: boolean };
};

/** The history's filters. They live in the URL, so that people can bookmark it, share it and go back. */
export function HistoryFilterBar({
  scope,
  basePath,
  filters,
  actors: { people: actors, more },
}: HistoryFiltersProps) {
  const nameOf = usePersonName();
  const t = useTranslations("timeline.filters");
  const webhooks = useTranslations("webhooks");
  const router = useRouter();
  const id = useId();
  const [pending, startTransition] = useTransition();
  const [shown, showOptimistically] = useOptimistic(filters);
  const timeZone = useTimeZone() ?? "UTC";
  const active = Object.keys(filters).length;
  const [open, setOpen] = useState(active > 0);

  const listed = [outsideActor, ...actors.map((actor) => actor.id)];
  const unlisted = listed.find((actor) => actor === shown.actor) ? undefined : shown.actor;

  function applyFilter(change: { [Name in keyof HistoryFilters]: string }) {
    const next = { ...shown, ...change };
    const kept = Object.fromEntries(Object.entries(next).filter(([, value]) => value !== ""));
    startTransition(() => {
      showOptimistically(kept);
      router.push(historyPath(basePath, kept));
    });
  }

  const select = (
    name: "show" | "type" | "actor",
    label: string,
    all: string,
    options: readonly { value: string; label: string }[],
  ) => (
    <Field label={label} className={widths[name]}>
      {(control) => (
        <Select
          {...control}
          value={shown[name] ?? ""}
          onChange={(value) => applyFilter({ [name]: value })}
        >
          <option value="">{all}</option>
          {options.map(({ value, label }) => (
            <option key={value} value={value}>
              {label}
            </option>
          ))}
        </Select>
      )}
    </Field>
  );

  const said = [
    shown.show && t(`shows.${shown.show}`),
    shown.type && webhooks(`types.${shown.type}`),
    shown.actor &&
      (shown.actor === outsideActor
        ? t(scope === "partner" ? "outside" : "nobody")
        : nameOf(actors.find(({ id }) => id === shown.actor)?.name ?? t("somebody"))),
    shown.from && `${t("from")} ${shown.from}`,
    shown.to && `${t("to")} ${shown.to}`,
  ].filter(Boolean);
  return (
    <>
      <p className="hidden print:block">
        {[
          said.length > 0 ? t("only", { list: said.join(", ") }) : null,
          t("zone", { zone: timeZone }),
        ]
          .filter(Boolean)
          .join(" · ")}
      </p>
      <section aria-label={t("label")} className="flex flex-col gap-3 print:hidden">
        <Button
          icon={<ListFilter aria-hidden />}
          aria-expanded={open}
          aria-controls={id}
          onClick={() => setOpen(!open)}
          className="sm:hidden"
        >
          {active > 0 ? t("toggle", { count: active }) : t("label")}
        </Button>
        <div
          id={id}
          className={cn(
            "grid grid-cols-2 gap-3 sm:flex sm:flex-wrap sm:items-end",
            !open && "max-sm:hidden",
          )}
        >
          {select(
            "show",
            t("show"),
            t("shows.all"),
            shows[scope].map((value) => ({ value, label: t(`shows.${value}`) })),
          )}
          {scope === "partner"
            ? select(
                "type",
                t("type"),
                t("allTypes"),
                webhookTypes.map((value) => ({ value, label: webhooks(`types.${value}`) })),
              )
            : null}
          {select("actor", t(scope === "partner" ? "actor" : "person"), t("anyone"), [
            ...actors.map(({ id: value, name }) => ({ value, label: nameOf(name) })),
            { value: outsideActor, label: t(scope === "partner" ? "outside" : "nobody") },
            ...(unlisted === undefined ? [] : [{ value: unlisted, label: t("somebody") }]),
          ])}
          <DayField
            label={t("from")}
            value={shown.from ?? ""}
            onChange={(from) => applyFilter({ from })}
          />
          <DayField label={t("to")} value={shown.to ?? ""} onChange={(to) => applyFilter({ to })} />
          <Periods shown={shown} onChange={applyFilter} />
          {active > 0 ? (
            <Button
              ref={yieldsFocus}
              variant="ghost"
              size="lg"
              onClick={() => applyFilter({ show: "", type: "", actor: "", from: "", to: "" })}
            >
              {t("clear")}
            </Button>
          ) : null}
          {pending ? <Spinner /> : null}
        </div>
        {more ? (
          <p className="text-small text-ink-3">{t("moreActors", { count: actors.length })}</p>
        ) : null}
        <p role="status" className="text-small text-warn empty:hidden">
          {shown.from && shown.to && shown.from > shown.to ? t("fromAfterTo") : ""}
        </p>
      </section>
    </>
  );
}

type PeriodsProps = {
  shown: HistoryFilters;
  onChange: (days: { from: string; to: string }) => void;
};

/** The periods that people ask for most, in the reader's days. */
function Periods({ shown, onChange }: PeriodsProps) {
  const t = useTranslations("timeline.filters.periods");
  const timeZone = useTimeZone() ?? "UTC";
  const now = useNow();
  // Swedish formats a date as ISO 8601 does.
  const today = new Intl.DateTimeFormat("sv-SE", { timeZone }).format(now);
  return (
    <div
      role="group"
      aria-label={t("label")}
      className="flex flex-wrap gap-2 max-sm:col-span-2 sm:order-last sm:basis-full"
    >
      {periods.map((period) => {
        const days = daysOf(period, today);
        return (
          <Button
            key={period}
            size="sm"
            aria-pressed={shown.from === days.from && shown.to === days.to}
            className="aria-pressed:border-brand aria-pressed:text-brand"
            onClick={() => onChange(days)}
          >
            {t(period)}
          </Button>
        );
      })}
    </div>
  );
}

/** Milliseconds without another keystroke after which a typed day counts. */
const debounceMs = 600;

/** A year that is still being typed is earlier than this, so it does not count. */
const earliestDay = "2000-01-01";

type DayFieldProps = {
  label: string;
  /** `YYYY-MM-DD`, or empty. */
  value: string;
  /** Called once the day is complete or cleared. */
  onChange: (day: string) => void;
};

function DayField({ label, value, onChange }: DayFieldProps) {
  const [typed, setTyped] = useState({ day: value, isValid: true });
  const [known, setKnown] = useState(value);
  if (known !== value) {
    setKnown(value);
    setTyped({ day: value, isValid: true });
  }
  // Other filters may change during the delay, so it calls the latest callback.
  const change = useEffectEvent(onChange);
  useEffect(() => {
    if (!typed.isValid || typed.day === value) return;
    const timer = setTimeout(() => change(typed.day), debounceMs);
    return () => clearTimeout(timer);
  }, [typed, value]);
  const handleInput = ({ value: day, validity }: HTMLInputElement) =>
    setTyped({ day, isValid: validity.valid });
  const early = useEarlyInput<HTMLInputElement>(value, handleInput);

  return (
    <Field label={label} className="sm:w-40">
      {(control) => (
        <TextInput
          {...control}
          ref={early}
          type="date"
          min={earliestDay}
          value={typed.day}
          onChange={(event) => handleInput(event.target)}
        />
      )}
    </Field>
  );
}
