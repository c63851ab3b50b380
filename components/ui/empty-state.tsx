import type { ReactNode } from "react";
import { Card, CardBody } from "./card";

type EmptyStateProps = {
  icon: ReactNode;
  title: string;
  /** Why the list is empty, or what to do. */
  text: string;
  action?: ReactNode;
};

/** Stands in place of an empty list. */
export function EmptyState({ icon, title, text, action }: EmptyStateProps) {
  return (
    <Card dashed>
      <CardBody className="flex flex-col items-center gap-3 px-6 py-12 text-center">
        <span className="inline-flex size-12 items-center justify-center rounded-full bg-brand-soft text-brand [&>svg]:size-6">
          {icon}
        </span>
        <h2 className="text-base font-semibold">{title}</h2>
        <p className="max-w-md text-pretty text-ink-2">{text}</p>
        {action}
      </CardBody>
    </Card>
  );
}
