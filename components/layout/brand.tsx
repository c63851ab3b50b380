"use client";

/* eslint-disable @next/next/no-img-element -- Nothing optimises images here, and these are small. */

import { cn } from "@/components/ui/cn";
import type { Elements } from "@/components/ui/sentences";
import { useTranslations } from "next-intl";
import { createContext, use } from "react";
import { Mark } from "./mark";

/** What the operator put on the door. Pictures are addresses. */
export type ShownBrand = {
  name: string;
  logo: string | null;
  logoDark: string | null;
  icon: string | null;
  links: { name: "support" | "privacy" | "terms" | "back"; href: string }[];
};

const BrandContext = createContext<ShownBrand | null>(null);

export function BrandProvider({ brand, children }: { brand: ShownBrand; children: Elements }) {
  return <BrandContext value={brand}>{children}</BrandContext>;
}

/** For the few places that name the dashboard: sentences say "the dashboard". */
export function useBrand(): ShownBrand {
  const brand = use(BrandContext);
  if (!brand) throw new Error("no layout named the brand");
  return brand;
}

/** The operator's logo, or a mark and the name. `compact`: on a narrow screen, the mark alone. */
export function BrandSign({ compact = false }: { compact?: boolean }) {
  const { name, logo, logoDark, icon } = useBrand();
  if (!logo)
    return (
      <>
        {icon ? <img src={icon} alt="" className="size-6 shrink-0" /> : <Mark />}
        <span
          translate="no"
          className={cn("text-[0.9375rem] font-semibold", compact && "max-lg:sr-only")}
        >
          {name}
        </span>
      </>
    );
  const inPlaceOfLogo = compact ? icon : null;
  const style = cn("h-7 max-w-48 object-contain object-left", inPlaceOfLogo && "max-lg:hidden");
  return (
    <>
      {inPlaceOfLogo ? (
        <img src={inPlaceOfLogo} alt={name} className="size-6 shrink-0 lg:hidden" />
      ) : null}
      <img src={logo} alt={name} className={cn(style, logoDark && "dark:hidden")} />
      {logoDark ? (
        <img
          src={logoDark}
          alt={name}
          className={cn(style, inPlaceOfLogo ? "hidden lg:dark:block" : "hidden dark:block")}
        />
      ) : null}
    </>
  );
}

/** The operator's own pages; nothing where there are none. */
export function BrandLinks({ className }: { className?: string }) {
  const t = useTranslations("common.links");
  const { links } = useBrand();
  if (links.length === 0) return null;
  return (
    <ul className={cn("flex flex-wrap gap-x-4 gap-y-1 text-small text-ink-3", className)}>
      {links.map(({ name, href }) => (
        <li key={name}>
          <a href={href} className="inline-flex min-h-6 items-center underline">
            {t(name, { host: hostOf(href) })}
          </a>
        </li>
      ))}
    </ul>
  );
}

function hostOf(href: string): string {
  return new URL(href).host;
}
