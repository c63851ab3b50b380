"use client";

import { useId } from "react";
import { cn } from "@/components/ui/cn";
import { RadioGroup, type ChoiceProps } from "./radio-group";

type SegmentedProps<Value extends string> = ChoiceProps<
  Value,
  { value: Value; label: string; disabled?: boolean }
>;

/** A choice among few options, side by side. */
export function Segmented<Value extends string>({
  value,
  onChange,
  options,
  ...frame
}: SegmentedProps<Value>) {
  const id = useId();
  return (
    <RadioGroup
      {...frame}
      id={id}
      layout="grid auto-cols-fr grid-flow-col gap-0.5 rounded-control border border-line-strong bg-sunken p-0.5"
    >
      {options.map((option) => (
        <label
          key={option.value}
          className={cn(
            "relative flex min-h-8.5 items-center justify-center rounded-[5px] border border-transparent px-2 text-center text-ink-2 transition-colors",
            "has-checked:border-line has-checked:bg-raised has-checked:font-medium has-checked:text-ink has-checked:shadow-card",
            "has-focus-visible:outline-2 has-focus-visible:outline-offset-1 has-focus-visible:outline-focus",
            "has-disabled:opacity-50",
            "forced-colors:has-checked:bg-[Highlight] forced-colors:has-checked:text-[HighlightText] forced-colors:has-checked:forced-color-adjust-none",
          )}
        >
          {/* Over the whole segment, so that a click hits the radio itself. */}
          <input
            type="radio"
            name={id}
            value={option.value}
            checked={option.value === value}
            disabled={option.disabled}
            onChange={() => onChange(option.value)}
            className="absolute inset-0 size-full cursor-[inherit] appearance-none rounded-[5px] outline-none"
          />
          <span className="pointer-events-none relative">{option.label}</span>
        </label>
      ))}
    </RadioGroup>
  );
}
