"use client";

import { useHere } from "@/components/layout/here";
import { useEnvironmentName } from "@/components/layout/nav/environment-name";
import { cn } from "@/components/ui/cn";
import type { Elements } from "@/components/ui/sentences";
import { Check } from "lucide-react";
import { useTranslations } from "next-intl";
import { useId, type ReactNode } from "react";

type PathProps = {
  /** Production, if the same is to be done there next. */
  next?: string | null;
  /** Four `Step`s. */
  children: Elements;
};

/** The steps from nothing to a receiver that is proven. */
export function Path({ next = null, children }: PathProps) {
  const t = useTranslations("firstHour");
  const nameOf = useEnvironmentName();
  const { environmentName: environment } = useHere();
  const id = useId();
  return (
    <section aria-labelledby={id} className="flex flex-col gap-3">
      <div>
        <h2 id={id} className="text-base font-semibold">
          {t("title")}
        </h2>
        <p className="text-ink-2">
          {next === null
            ? t("intro", { environment })
            : t("introThen", { environment, production: nameOf(next) })}
        </p>
      </div>
      <ol className="divide-y divide-line rounded-card border border-line bg-surface shadow-card">
        {children}
      </ol>
    </section>
  );
}

export type StepState = "done" | "current" | "ahead";

type StepProps = {
  number: number;
  state: StepState;
  title: string;
  text: ReactNode;
  /** The ways on, beside the text. */
  actions?: Elements;
  /** Below it. */
  children?: Elements;
};

const circles = {
  done: "bg-ok-soft text-ok",
  current: "bg-brand text-brand-ink",
  ahead: "border border-control-line text-ink-2",
};

export function Step({ number, state, title, text, actions, children }: StepProps) {
  const t = useTranslations("firstHour");
  return (
    <li
      aria-current={state === "current" ? "step" : undefined}
      className="flex items-start gap-3 px-4 py-4 sm:px-5"
    >
      <span
        className={cn(
          "inline-flex size-7 shrink-0 items-center justify-center rounded-full text-small font-semibold",
          circles[state],
        )}
      >
        {state === "done" ? (
          <>
            <Check aria-hidden className="size-4" />
            <span className="sr-only">{t("done")}</span>
          </>
        ) : (
          <span aria-hidden>{number}</span>
        )}
      </span>
      <div className="flex min-w-0 flex-1 flex-col gap-3">
        <div className="flex flex-wrap items-start justify-between gap-x-6 gap-y-3">
          <div className="min-w-0 flex-1 basis-64">
            <h3 className={cn("font-semibold", state === "ahead" && "text-ink-2")}>{title}</h3>
            <p className="text-small text-pretty [overflow-wrap:anywhere] text-ink-2">{text}</p>
          </div>
          {actions ? <div className="flex flex-wrap gap-2 print:hidden">{actions}</div> : null}
        </div>
        {children}
      </div>
    </li>
  );
}
