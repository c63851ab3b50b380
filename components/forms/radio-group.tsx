import type { ReactNode } from "react";
import { cn } from "@/components/ui/cn";

type Frame = {
  /** Names the group, and is shown above it. */
  label: string;
  /** Ids of text that describes the group. */
  describedBy?: string;
  className?: string;
};

/** The props of every choice, whatever its options look like. */
export type ChoiceProps<Value, Option> = Frame & {
  value: Value;
  onChange: (value: Value) => void;
  options: readonly Option[];
};

type RadioGroupProps = Frame & {
  /** The id of the text that names the group; its radios use it as their name, too. */
  id: string;
  /** How the options are laid out. */
  layout: string;
  children: ReactNode;
};

/** The frame of a choice: native radio buttons, so arrow keys and forms work as everywhere. */
export function RadioGroup({
  id,
  label,
  describedBy,
  className,
  layout,
  children,
}: RadioGroupProps) {
  return (
    <div className={cn("flex min-w-0 flex-col gap-1.5", className)}>
      <span id={id} className="text-small font-medium text-ink">
        {label}
      </span>
      <div role="radiogroup" aria-labelledby={id} aria-describedby={describedBy} className={layout}>
        {children}
      </div>
    </div>
  );
}
