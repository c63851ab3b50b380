"use client";

import { useId, type ComponentPropsWithRef, type ReactNode } from "react";

type CheckFieldProps = Omit<ComponentPropsWithRef<"input">, "type" | "id" | "className"> & {
  /** The checkbox's exact name. */
  label: string;
  /** Read after the name. */
  description: ReactNode;
};

/** An option to switch on or off, with a sentence about it. The whole row is clickable. */
export function CheckField({ label, description, ...rest }: CheckFieldProps) {
  const id = useId();
  return (
    <div className="relative flex items-start gap-3 bg-surface px-3 py-2.5">
      <input
        {...rest}
        type="checkbox"
        id={id}
        aria-describedby={`${id}-description`}
        className="relative z-10 mt-0.5 size-4 shrink-0 accent-brand"
      />
      <div className="min-w-0">
        <label htmlFor={id} className="text-ink after:absolute after:inset-0 after:cursor-pointer">
          {label}
        </label>
        <p id={`${id}-description`} className="text-small text-ink-3">
          {description}
        </p>
      </div>
    </div>
  );
}
