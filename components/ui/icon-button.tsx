"use client";

import type { ComponentPropsWithRef, ReactNode } from "react";
import { cn } from "./cn";

type IconButtonProps = Omit<ComponentPropsWithRef<"button">, "children"> & {
  /** The accessible name, also the tooltip. */
  label: string;
  icon: ReactNode;
};

export function IconButton({
  label,
  icon,
  title = label,
  type = "button",
  className,
  ...rest
}: IconButtonProps) {
  return (
    <button
      {...rest}
      type={type}
      aria-label={label}
      title={title}
      className={cn(
        "inline-flex size-8 shrink-0 items-center justify-center rounded-control border border-transparent text-ink-2 transition-colors hover:bg-hover hover:text-ink disabled:opacity-50 [&>svg]:size-4",
        className,
      )}
    >
      {icon}
    </button>
  );
}
