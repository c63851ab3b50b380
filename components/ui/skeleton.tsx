import { cn } from "./cn";

/**
 * A placeholder for loading content. Give it a size through `className`, and say once in text that the region is
 * loading.
 */
export function Skeleton({ className }: { className?: string }) {
  return (
    <div
      aria-hidden
      className={cn("animate-pulse rounded-control bg-line motion-reduce:animate-none", className)}
    />
  );
}
