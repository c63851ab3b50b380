"use client";

import { useId, type ComponentPropsWithRef, type ReactNode } from "react";
import { cn } from "@/components/ui/cn";

type Choice<Value, Option> = {
  /** Shown above the group, and its accessible name. */
  label: string;
  value: Value;
  onChange: (value: Value) => void;
  options: readonly Option[];
  /** The ids of elements that describe the group. */
  describedBy?: string | undefined;
};

type GroupProps = Pick<Choice<never, never>, "label" | "describedBy"> & {
  id: string;
  layout: string;
  children: ReactNode;
};

/** The frame of a choice. Its radio buttons are native, so arrow keys and forms work as usual. */
function Group({ id, label, describedBy, layout, children }: GroupProps) {
  return (
    <div className="flex min-w-0 flex-col gap-1.5">
      <span id={id} className="text-small font-medium text-ink">
        {label}
      </span>
      <div role="radiogroup" aria-labelledby={id} aria-describedby={describedBy} className={layout}>
        {children}
      </div>
    </div>
  );
}

/** A choice among few options, side by side. */
export function Segmented<Value extends string>({
  label,
  value,
  onChange,
  options,
}: Choice<Value, { value: Value; label: string; lang?: string }>) {
  const id = useId();
  return (
    <Group
      label={label}
      id={id}
      layout="grid auto-cols-fr grid-flow-col gap-0.5 rounded-control border border-line-strong bg-sunken p-0.5"
    >
      {options.map((option) => (
        <label
          key={option.value}
          lang={option.lang}
          className={cn(
            "relative flex min-h-8.5 items-center justify-center rounded-[5px] border border-transparent px-2 text-center text-ink-2 transition-colors",
            "has-checked:border-line has-checked:bg-raised has-checked:font-medium has-checked:text-ink has-checked:shadow-card",
            "has-focus-visible:outline-2 has-focus-visible:outline-offset-1 has-focus-visible:outline-focus",
            "forced-colors:has-checked:bg-[Highlight] forced-colors:has-checked:text-[HighlightText] forced-colors:has-checked:forced-color-adjust-none",
          )}
        >
          {/* Covers the whole segment, so that a click hits the radio itself. */}
          <input
            type="radio"
            name={id}
            value={option.value}
            checked={option.value === value}
            onChange={() => onChange(option.value)}
            className="absolute inset-0 size-full cursor-[inherit] appearance-none rounded-[5px] outline-none"
          />
          <span className="pointer-events-none relative">{option.label}</span>
        </label>
      ))}
    </Group>
  );
}

type OptionRowProps = Omit<ComponentPropsWithRef<"input">, "id"> & {
  /** The control's exact accessible name. */
  label: ReactNode;
  /** Screen readers read it after the name. */
  description?: ReactNode;
};

/**
 * A radio button or a checkbox with a sentence of explanation. The description stays outside the label, so that the
 * control's name is exact; the label's overlay keeps the whole row clickable.
 */
export function OptionRow({ label, description, className, ...control }: OptionRowProps) {
  const id = useId();
  return (
    <div className="relative flex items-start gap-3 bg-surface px-3 py-2.5">
      <input
        {...control}
        id={id}
        aria-describedby={description ? `${id}-description` : undefined}
        className={cn("relative z-10 mt-0.5 size-4 shrink-0", className)}
      />
      <div className="min-w-0">
        <label
          htmlFor={id}
          className={cn(
            "after:absolute after:inset-0",
            control.disabled
              ? "text-ink-3 after:cursor-not-allowed"
              : "text-ink after:cursor-pointer",
          )}
        >
          {label}
        </label>
        {description ? (
          <p id={`${id}-description`} className="text-small [overflow-wrap:anywhere] text-ink-3">
            {description}
          </p>
        ) : null}
      </div>
    </div>
  );
}

export type RadioListOption<Value extends string> = Pick<
  OptionRowProps,
  "label" | "description" | "disabled"
> & {
  value: Value;
  /** Shown under the option while it is chosen. */
  expanded?: ReactNode;
};

/** A vertical choice whose options each need a sentence. */
export function RadioList<Value extends string>({
  label,
  describedBy,
  value,
  onChange,
  options,
}: Choice<Value, RadioListOption<Value>>) {
  const id = useId();
  return (
    <Group
      label={label}
      describedBy={describedBy}
      id={id}
      layout="divide-y divide-line overflow-hidden rounded-card border border-line-strong"
    >
      {options.map(({ expanded, ...option }) => {
        const checked = option.value === value;
        return (
          <div key={option.value} className="bg-surface">
            <OptionRow
              {...option}
              type="radio"
              name={id}
              checked={checked}
              onChange={() => onChange(option.value)}
              className="appearance-none rounded-full border border-control-line bg-surface checked:border-[5px] checked:border-brand disabled:opacity-50"
            />
            {checked && expanded ? <div className="px-3 pb-3 pl-10">{expanded}</div> : null}
          </div>
        );
      })}
    </Group>
  );
}
