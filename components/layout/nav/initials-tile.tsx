import { cn } from "@/components/ui/cn";
import { initials } from "./initials";

type InitialsTileProps = { name: string; kind: "partner" | "person"; className?: string };

/** Recognised before it is read; the name stands beside it. */
export function InitialsTile({ name, kind, className }: InitialsTileProps) {
  return (
    <span
      aria-hidden
      className={cn(
        "inline-flex size-7 shrink-0 items-center justify-center text-[0.6875rem] font-semibold",
        kind === "partner"
          ? "rounded-[6px] bg-out-soft text-out"
          : "rounded-full bg-brand-soft text-brand",
        className,
      )}
    >
      {initials(name)}
    </span>
  );
}
