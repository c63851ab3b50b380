import { CircleCheck, CircleX, Info, TriangleAlert } from "lucide-react";
import type { ComponentPropsWithRef, ReactNode } from "react";
import { cn } from "./cn";

type NoticeTone = "info" | "ok" | "warn" | "bad";

const tones: Record<NoticeTone, { style: string; mark: string; icon: ReactNode }> = {
  info: {
    style: "border-line bg-sunken",
    mark: "text-ink-2",
    icon: <Info aria-hidden />,
  },
  ok: { style: "border-ok-line bg-ok-soft", mark: "text-ok", icon: <CircleCheck aria-hidden /> },
  warn: {
    style: "border-warn-line bg-warn-soft",
    mark: "text-warn",
    icon: <TriangleAlert aria-hidden />,
  },
  bad: { style: "border-bad-line bg-bad-soft", mark: "text-bad", icon: <CircleX aria-hidden /> },
};

type NoticeProps = Omit<ComponentPropsWithRef<"div">, "title" | "role"> & {
  tone: NoticeTone;
  /** `alert` interrupts a screen reader, `status` waits. Without a role, the notice is part of the page. */
  role?: "status" | "alert";
  title?: ReactNode;
  icon?: ReactNode;
  actions?: ReactNode;
};

/** Information about the page or about the last action. */
export function Notice({ tone, title, icon, actions, className, children, ...rest }: NoticeProps) {
  const { style, mark, icon: toneIcon } = tones[tone];
  return (
    <div
      {...rest}
      className={cn("flex items-start gap-3 rounded-card border px-4 py-3", style, className)}
    >
      <span className={cn("mt-0.5 [&>svg]:size-4", mark)}>{icon ?? toneIcon}</span>
      <div className="flex min-w-0 flex-1 flex-col gap-1 [overflow-wrap:anywhere]">
        {title ? <p className={cn("font-semibold", mark)}>{title}</p> : null}
        {children ? <div className="text-ink">{children}</div> : null}
        {actions ? <div className="mt-2 flex flex-wrap gap-2">{actions}</div> : null}
      </div>
    </div>
  );
}
