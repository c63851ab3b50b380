import { cn } from "./cn";

/** A placeholder for loading content. Its size is up to `className`; the region needs a text that it is loading. */
export function Skeleton({ className }: { className?: string }) {
  return (
    <div
      aria-hidden
      className={cn("animate-pulse rounded-control bg-line motion-reduce:animate-none", className)}
    />
  );
}
