import { cn } from "./cn";

/** The shape of content to come. Give it a size through `className`; say in words, once, that the region is loading. */
export function Skeleton({ className }: { className?: string }) {
  return (
    <div
      aria-hidden
      className={cn("animate-pulse rounded-control bg-line motion-reduce:animate-none", className)}
    />
  );
}
