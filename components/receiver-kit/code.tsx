"use client";

import { CopyButton } from "@/components/ui/copy-button";
import { cn } from "@/components/ui/cn";
import { useTranslations } from "next-intl";

type CodeProps = {
  name: string;
  /** Hides the name, which something above gives. */
  unnamed?: boolean;
  /** The copy button's name, if "Copy NAME" does not say it. */
  copyLabel?: string;
  /** Of the box that scrolls. */
  className?: string;
  text: string;
  /** What is copied, if not that. */
  copies?: string;
};

/** Long lines of code scroll instead of wrapping. */
export function Code(props: CodeProps) {
  const { name, unnamed = false, copyLabel, className, text, copies = text } = props;
  const t = useTranslations("common");
  return (
    <div className="flex min-w-0 flex-col gap-1.5">
      {unnamed ? null : <p className="font-medium">{name}</p>}
      <div className="flex items-start gap-2 rounded-control border border-line bg-sunken">
        <pre
          // Focusable, so that it can be scrolled with the keyboard.
          tabIndex={0}
          role="group"
          aria-label={name}
          className={cn(
            "min-w-0 flex-1 overflow-auto px-3 py-2.5 font-mono text-[0.8125rem] leading-5",
            className,
          )}
        >
          <code translate="no">{text.trimEnd()}</code>
        </pre>
        <CopyButton className="m-1" text={copies} label={copyLabel ?? t("copyOf", { name })} />
      </div>
    </div>
  );
}
