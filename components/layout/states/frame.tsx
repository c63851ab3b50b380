import { cn } from "@/components/ui/cn";
import type { ReactNode } from "react";

type StateProps = {
  icon: ReactNode;
  tone?: "plain" | "bad";
  title: string;
  /** What happened, whether anything changed, and what to do. */
  children: ReactNode;
  actions?: ReactNode;
};

/** Replaces a page that cannot be shown. Every page loads this file for errors, so it imports next to nothing. */
export function State({ icon, tone = "plain", title, children, actions }: StateProps) {
  return (
    <section className="mx-auto flex max-w-md flex-col items-center gap-3 py-8 text-center">
      <span
        className={cn(
          "mb-1 inline-flex size-12 items-center justify-center rounded-full [&>svg]:size-6",
          tone === "bad" ? "bg-bad-soft text-bad" : "bg-brand-soft text-brand",
        )}
      >
        {icon}
      </span>
      <h1 className="text-title font-semibold tracking-tight">{title}</h1>
      <div className="flex flex-col gap-2 text-pretty text-ink-2">{children}</div>
      {actions ? <div className="mt-3 flex flex-wrap justify-center gap-2">{actions}</div> : null}
    </section>
  );
}
