import { ChevronLeft } from "lucide-react";
import Link from "next/link";
import { cn } from "@/components/ui/cn";
import type { Elements } from "@/components/ui/sentences";
import type { ReactNode } from "react";

type PageHeaderProps = {
  title: string;
  /** The page's purpose, in a sentence, where the title does not say it. */
  intro?: ReactNode;
  /** How old what the page shows is. */
  age?: Elements;
  /** The parent page, for a page that is not in the navigation. */
  back?: { href: string; label: string };
  actions?: ReactNode;
};

/** The heading of every console page. */
export function PageHeader({ title, intro, age, back, actions }: PageHeaderProps) {
  return (
    <div className="flex flex-wrap items-start justify-between gap-x-6 gap-y-3">
      <div className={cn("min-w-0", intro ? "flex-1 basis-60" : "flex-auto")}>
        {back ? (
          <Link
            href={back.href}
            prefetch={false}
            className="mb-1 inline-flex min-h-6 items-center gap-1 rounded-control text-small text-ink-2 hover:text-ink"
          >
            <ChevronLeft aria-hidden className="size-4" />
            <span>{back.label}</span>
          </Link>
        ) : null}
        <div className="flex flex-wrap items-baseline gap-x-5">
          <h1 className="text-title font-semibold tracking-tight">{title}</h1>
          {age}
        </div>
        {intro ? (
          <p className="mt-1 text-pretty [overflow-wrap:anywhere] text-ink-2">{intro}</p>
        ) : null}
      </div>
      {actions ? (
        <div className="flex flex-wrap items-center gap-2 empty:hidden max-sm:w-full max-sm:*:flex-auto print:hidden">
          {actions}
        </div>
      ) : null}
    </div>
  );
}
