import { cn } from "@/components/ui/cn";

/** The hook. Drawn again in app/icon.svg: change both. */
export function Mark({ className }: { className?: string }) {
  return (
    <svg viewBox="0 0 24 24" aria-hidden className={cn("size-6 shrink-0", className)}>
      <rect width="24" height="24" rx="6" className="fill-brand" />
      <g
        className="fill-none stroke-brand-ink"
        strokeWidth="2"
        strokeLinecap="round"
        strokeLinejoin="round"
      >
        <circle cx="14.5" cy="6.25" r="1.75" />
        <path d="M14.5 8v6.25a4 4 0 0 1-8 0V12" />
        <path d="m4.75 13.75 1.75-2 1.75 2" />
      </g>
    </svg>
  );
}
