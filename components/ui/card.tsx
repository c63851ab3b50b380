import type { ComponentPropsWithRef } from "react";
import { cn } from "./cn";

type CardProps = ComponentPropsWithRef<"section"> & {
  /** A dashed border is for something that does not exist yet. */
  dashed?: boolean;
};

/** A bordered surface. `aria-labelledby` makes it a region. */
export function Card({ dashed = false, className, ...rest }: CardProps) {
  return (
    <section
      {...rest}
      className={cn(
        "flex min-w-0 flex-col rounded-card border",
        dashed ? "border-dashed border-line-strong" : "border-line bg-surface shadow-card",
        className,
      )}
    />
  );
}

export function CardBody({ className, ...rest }: ComponentPropsWithRef<"div">) {
  return <div {...rest} className={cn("flex-1 p-4 sm:p-5", className)} />;
}

/** A row of facts and actions below the card's body. */
export function CardFooter({ className, ...rest }: ComponentPropsWithRef<"div">) {
  return (
    <div
      {...rest}
      className={cn(
        "flex min-h-13 flex-wrap items-center justify-between gap-x-3 gap-y-2 border-t border-line px-4 py-2.5 text-small text-ink-3 sm:px-5",
        className,
      )}
    />
  );
}
