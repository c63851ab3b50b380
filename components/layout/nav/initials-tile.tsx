import { cn } from "@/components/ui/cn";

type InitialsTileProps = { name: string; kind: "partner" | "person"; className?: string };

/** Recognised at a glance. The full name is always beside it. */
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

/** The initials of a name's first and last word. */
export function initials(name: string): string {
  const words = name.trim().split(/\s+/);
  const last = words.length > 1 ? words.at(-1) : undefined;
  return [words[0], last]
    .map((word) => (word ? [...word][0] : ""))
    .join("")
    .toLocaleUpperCase();
}
