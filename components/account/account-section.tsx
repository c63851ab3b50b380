import { Card, CardBody } from "@/components/ui/card";
import { useId, type ReactNode } from "react";

type AccountSectionProps = {
  title: string;
  /** Its purpose. */
  text: ReactNode;
  /** Beside the title: its state. */
  state?: ReactNode;
  children: ReactNode;
};

/** One section of the account page. */
export function AccountSection({ title, text, state, children }: AccountSectionProps) {
  const id = useId();
  return (
    <Card aria-labelledby={id}>
      <CardBody className="flex flex-col gap-4">
        <div>
          <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1">
            <h2 id={id} className="text-base font-semibold">
              {title}
            </h2>
            {state}
          </div>
          <p className="mt-1 text-pretty text-ink-2">{text}</p>
        </div>
        {children}
      </CardBody>
    </Card>
  );
}
