"use client";

import { cn } from "@/components/ui/cn";
import { FlaskConical, Layers, Radio } from "lucide-react";
import { useTranslations } from "next-intl";
import { createContext, use, type ReactNode } from "react";
import { useEnvironmentName } from "./environment-name";

const ProductionContext = createContext<readonly string[]>([]);

/** Tells the components inside which environments are production. */
export function ProductionEnvironments({
  names,
  children,
}: {
  names: readonly string[];
  children: ReactNode;
}) {
  return <ProductionContext value={names}>{children}</ProductionContext>;
}

export function useProductionEnvironments(): readonly string[] {
  return use(ProductionContext);
}

export function useIsProduction(environment: string | null): boolean {
  return useProductionEnvironments().some((name) => name === environment);
}

/**
 * Production is where a mistake costs money, so its badge is filled, with its own icon and name. The others are
 * outlined, as is the badge for all environments together (null).
 */
export function EnvironmentBadge({ environment }: { environment: string | null }) {
  const t = useTranslations("shell");
  const name = useEnvironmentName();
  const production = useIsProduction(environment);
  return (
    <span
      className={cn(
        "inline-flex max-w-full shrink-0 items-center gap-1 rounded-full border px-1.5 text-xs font-medium",
        production ? "border-transparent bg-ink text-surface" : "border-line-strong text-ink-2",
      )}
    >
      <EnvironmentIcon environment={environment} className="size-3" />
      <span className="truncate">
        {environment === null ? t("allEnvironments") : name(environment)}
      </span>
    </span>
  );
}

export function EnvironmentIcon({
  environment,
  className = "size-4",
}: {
  environment: string | null;
  className?: string;
}) {
  const production = useIsProduction(environment);
  const Icon = environment === null ? Layers : production ? Radio : FlaskConical;
  return <Icon aria-hidden className={cn("shrink-0", className)} />;
}

/** A stripe along the top of the window outside production; the badge says the same in words. */
export function TestStripe({ environment }: { environment: string }) {
  if (useIsProduction(environment)) return null;
  return (
    <div
      aria-hidden
      className="pointer-events-none fixed inset-x-0 top-0 z-30 h-[3px] bg-[repeating-linear-gradient(-45deg,var(--warn)_0_8px,var(--warn-soft)_8px_16px)] print:hidden"
    />
  );
}
