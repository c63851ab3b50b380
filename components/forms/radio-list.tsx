"use client";

import { useId, type ReactNode } from "react";
import { cn } from "@/components/ui/cn";
import { RadioGroup, type ChoiceProps } from "./radio-group";

export type RadioListOption<Value extends string> = {
  value: Value;
  /** The radio's exact name. */
  label: string;
  /** Ends the radio's name without being shown: for what the options beside it already show. */
  unseenLabel?: string;
  /** Read after the name. */
  description?: ReactNode;
  disabled?: boolean;
  /** Shown under the option while it is chosen. */
  expanded?: ReactNode;
};

type RadioListProps<Value extends string> = ChoiceProps<Value, RadioListOption<Value>>;

/** A choice whose options need a sentence each, one under the other. */
export function RadioList<Value extends string>({
  value,
  onChange,
  options,
  ...frame
}: RadioListProps<Value>) {
  const id = useId();
  return (
    <RadioGroup
      {...frame}
      id={id}
      layout="divide-y divide-line overflow-hidden rounded-card border border-line-strong"
    >
      {options.map((option) => {
        const optionId = `${id}-${option.value}`;
        const checked = option.value === value;
        return (
          <div key={option.value} className="bg-surface">
            {/* The description stays outside the label, so that the radio's name is exact; the label's overlay keeps the whole row clickable. */}
            <div className="relative flex items-start gap-3 px-3 py-2.5">
              <input
                type="radio"
                id={optionId}
                name={id}
                value={option.value}
                checked={checked}
                disabled={option.disabled}
                onChange={() => onChange(option.value)}
                aria-describedby={option.description ? `${optionId}-description` : undefined}
                className="relative z-10 mt-0.5 size-4 shrink-0 appearance-none rounded-full border border-control-line bg-surface checked:border-[5px] checked:border-brand disabled:opacity-50"
              />
              <div className="min-w-0">
                <label
                  htmlFor={optionId}
                  className={cn(
                    "after:absolute after:inset-0",
                    option.disabled
                      ? "text-ink-3 after:cursor-not-allowed"
                      : "text-ink after:cursor-pointer",
                  )}
                >
                  {option.label}
                  {option.unseenLabel ? (
                    <span className="sr-only"> {option.unseenLabel}</span>
                  ) : null}
                </label>
                {option.description ? (
                  <p
                    id={`${optionId}-description`}
                    className="text-small [overflow-wrap:anywhere] text-ink-3"
                  >
                    {option.description}
                  </p>
                ) : null}
              </div>
            </div>
            {checked && option.expanded ? (
              <div className="px-3 pb-3 pl-10">{option.expanded}</div>
            ) : null}
          </div>
        );
      })}
    </RadioGroup>
  );
}
