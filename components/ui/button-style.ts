import { cn } from "./cn";

export type ButtonVariant = "primary" | "secondary" | "ghost" | "danger";
export type ButtonSize = "sm" | "md" | "lg";

const variants: Record<ButtonVariant, string> = {
  primary: "border-transparent bg-brand text-brand-ink hover:bg-brand-strong",
  secondary: "border-line-strong bg-surface text-ink hover:bg-hover",
  ghost: "border-transparent text-ink-2 hover:bg-hover hover:text-ink",
  danger: "border-transparent bg-bad text-bad-ink hover:bg-bad-strong",
};

const sizes: Record<ButtonSize, string> = {
  sm: "min-h-8 gap-1.5 px-2.5 text-small",
  md: "min-h-9 gap-2 px-3.5 text-small",
  lg: "min-h-10 gap-2 px-4 text-sm",
};

/** The style that Button and ButtonLink share. */
export function buttonStyle(variant: ButtonVariant, size: ButtonSize, className?: string): string {
  return cn(
    "inline-flex shrink-0 items-center justify-center rounded-control border py-1 text-center font-medium transition-colors",
    "disabled:cursor-not-allowed disabled:opacity-50 aria-disabled:cursor-not-allowed",
    "[&>svg]:size-4 [&>svg]:shrink-0",
    variants[variant],
    sizes[size],
    className,
  );
}
