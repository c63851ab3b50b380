import { cn } from "./cn";
import { Card, CardBody, CardFooter } from "./card";
import type { Elements } from "@/components/ui/sentences";
import { useId, type ReactNode } from "react";

type SectionProps = {
  title: string;
  /** The end of an address that leads to it. */
  anchor?: string;
  /** The section's purpose. */
  text?: ReactNode;
  /** Shown beside the title: a state or an action. */
  state?: Elements;
  /** Below the content: the last change, and actions. */
  footer?: ReactNode;
  /** No card around the section, because its content has one. */
  bare?: boolean;
  /** The section is about something that does not exist yet. */
  dashed?: boolean;
  /** It has only what one fills in or presses: nothing that paper could show below its heading. */
  screenOnly?: boolean;
  children: Elements;
};

/** A part of a page, as a region named by its heading. */
export function Section(props: SectionProps) {
  const { title, anchor, text, state, footer, bare = false, dashed = false, children } = props;
  const id = useId();
  const look = cn("scroll-mt-20", props.screenOnly && "print:hidden");
  const content = (
    <>
      <div>
        <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1">
          <h2 id={id} className="text-base font-semibold">
            {title}
          </h2>
          {state}
        </div>
        {text ? <p className="mt-1 text-pretty text-ink-2">{text}</p> : null}
      </div>
      {children}
    </>
  );
  if (bare)
    return (
      <section id={anchor} aria-labelledby={id} className={cn("flex flex-col gap-3", look)}>
        {content}
      </section>
    );
  return (
    <Card id={anchor} aria-labelledby={id} dashed={dashed} className={look}>
      <CardBody className="flex flex-col gap-4">{content}</CardBody>
      {footer ? <CardFooter>{footer}</CardFooter> : null}
    </Card>
  );
}
