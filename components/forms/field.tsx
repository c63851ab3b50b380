"use client";

import { Hint } from "@/components/ui/hint";
import type { Elements } from "@/components/ui/sentences";
import { CircleAlert } from "lucide-react";
import { useTranslations } from "next-intl";
import { useId, type ReactNode } from "react";
import { cn } from "@/components/ui/cn";

/** Attributes that a Field's control must have. */
type FieldControl = {
  id: string;
  "aria-describedby"?: string;
  "aria-invalid"?: true;
};

type FieldProps = {
  label: string;
  /** Always shown under the control; describes a valid value. */
  hint?: ReactNode;
  /** Says what is wrong and how to fix it; marks the control invalid. */
  error?: ReactNode;
  /** The number of characters typed, and the number allowed. */
  counter?: { count: number; limit: number } | undefined;
  className?: string | undefined;
  children: (control: FieldControl) => Elements;
};

/** A label, a control and its messages, wired together for assistive technology. */
export function Field({ label, hint, error, counter, className, children }: FieldProps) {
  const id = useId();
  const describedBy = [error && `${id}-error`, hint && `${id}-hint`, counter && `${id}-counter`]
    .filter(Boolean)
    .join(" ");

  return (
    <div className={cn("flex min-w-0 flex-col gap-1.5", className)}>
      <div className="flex items-baseline justify-between gap-3">
        <label htmlFor={id} className="text-small font-medium text-ink">
          {label}
        </label>
        {counter ? <Counter {...counter} id={`${id}-counter`} /> : null}
      </div>
      {children({
        id,
        ...(describedBy ? { "aria-describedby": describedBy } : {}),
        ...(error ? { "aria-invalid": true } : {}),
      })}
      {error ? (
        <Hint id={`${id}-error`} tone="bad" icon={CircleAlert}>
          {error}
        </Hint>
      ) : null}
      {hint ? (
        <p id={`${id}-hint`} className="text-small text-ink-3">
          {hint}
        </p>
      ) : null}
    </div>
  );
}

/** Outside the label, so that the field's accessible name stays exact. */
function Counter({ id, count, limit }: { id: string; count: number; limit: number }) {
  const t = useTranslations("common");
  const over = count - limit;
  return (
    <span
      id={id}
      className={cn("text-small tabular-nums", over > 0 ? "font-medium text-bad" : "text-ink-3")}
    >
      {over > 0
        ? `${t("counter", { count, limit })} · ${t("counterOver", { over })}`
        : t("counter", { count, limit })}
    </span>
  );
}
