import { cn } from "@/components/ui/cn";

/** 16 px on a phone: smaller text makes the browser zoom in on focus. */
export function inputStyle(mono: boolean, className?: string): string {
  return cn(
    "block min-h-10 w-full min-w-0 rounded-control border border-control-line bg-surface px-3 py-1.5 text-base text-ink",
    "focus-visible:outline-offset-0 disabled:bg-sunken disabled:text-ink-3 aria-invalid:border-bad",
    mono ? "font-mono sm:text-small" : "sm:text-sm",
    className,
  );
}
