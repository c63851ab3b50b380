import type { Elements } from "@/components/ui/sentences";
import { useId, type ReactNode } from "react";
import { Card } from "@/components/ui/card";
import { BrandLinks, BrandSign } from "./brand";

/**
 * The frame of a page outside the console: the product's name, and no controls. It hangs from the top: centred, it would
 * move while the page is still arriving.
 */
export function BareFrame({ children }: { children: Elements }) {
  return (
    <main
      tabIndex={-1}
      className="mx-auto flex w-full max-w-103 flex-col gap-5 px-4 pt-[16dvh] pb-10"
    >
      <p className="flex items-center justify-center gap-2.5">
        <BrandSign />
      </p>
      {children}
      <BrandLinks className="justify-center" />
    </main>
  );
}

type BareCardProps = { title: ReactNode; intro?: ReactNode; children: Elements };

/** The only card of such a page; its title is the page's heading. */
export function BareCard({ title, intro, children }: BareCardProps) {
  const id = useId();
  return (
    <Card aria-labelledby={id} className="gap-5 p-6 sm:p-7">
      <div className="flex flex-col gap-1">
        <h1 id={id} className="text-title font-semibold tracking-tight">
          {title}
        </h1>
        {intro ? <p className="text-pretty text-ink-2">{intro}</p> : null}
      </div>
      {children}
    </Card>
  );
}
