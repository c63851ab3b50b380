import { cn } from "@/components/ui/cn";

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

/** Up to two letters to recognise a name by: from its first and last word. */
export function initials(name: string): string {
  const words = name.trim().split(/\s+/);
  const last = words.length > 1 ? words.at(-1) : undefined;
  return [words[0], last]
    .map((word) => (word ? [...word][0] : ""))
    .join("")
    .toLocaleUpperCase();
}
