import type { ReactNode } from "react";

type StateProps = {
  icon: ReactNode;
  title: string;
  /** What happened, whether anything changed, and what to do. */
  children: ReactNode;
  actions?: ReactNode;
};

/** What stands in place of a page that cannot be shown. */
export function State({ icon, title, children, actions }: StateProps) {
  return (
    <section className="mx-auto flex max-w-md flex-col items-center gap-3 py-16 text-center sm:py-24">
      <span className="mb-1 inline-flex size-12 items-center justify-center rounded-full bg-brand-soft text-brand [&>svg]:size-6">
        {icon}
      </span>
      <h1 className="text-title font-semibold tracking-tight">{title}</h1>
      <div className="flex flex-col gap-2 text-pretty text-ink-2">{children}</div>
      {actions ? <div className="mt-3 flex flex-wrap justify-center gap-2">{actions}</div> : null}
    </section>
  );
}
