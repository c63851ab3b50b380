"use client";

import { Description, Title } from "@radix-ui/react-dialog";
import { X } from "lucide-react";
import { useTranslations } from "next-intl";
import type { ReactNode } from "react";
import { cn } from "./cn";
import { IconButton } from "./icon-button";
import { Overlay } from "./overlay";

type DialogProps = {
  /** The dialog's exact name. */
  title: string;
  description?: ReactNode;
  /** A question that must be answered: with an answer, not by closing it. */
  asks?: boolean;
  /** Wide, for comparisons. */
  wide?: boolean;
  /** Escape, the close button or a press outside. */
  onClose: () => void;
  /** Finds the element that takes the focus on closing where the one before is gone. */
  returnTo?: () => HTMLElement | null;
  children: ReactNode;
};

/** A small task on top of the page. Focus starts in its first field, or on a question's first answer. */
export function Dialog(props: DialogProps) {
  const { title, description, asks = false, wide = false, onClose, returnTo, children } = props;
  const t = useTranslations("common");
  return (
    <Overlay
      layer="sheet"
      role={asks ? "alertdialog" : "dialog"}
      isDescribed={Boolean(description)}
      onClose={onClose}
      onOpened={(panel) =>
        (panel.querySelector<HTMLElement>(asks ? "button" : "input") ?? panel).focus()
      }
      returnTo={returnTo}
      className={cn(
        "inset-x-4 top-1/2 mx-auto flex max-h-[calc(100dvh-2rem)] -translate-y-1/2 animate-fade-in flex-col gap-5 overflow-y-auto rounded-card border border-line bg-surface p-5 shadow-menu sm:p-6",
        wide ? "max-w-xl" : "max-w-md",
      )}
    >
      <header className="flex flex-col gap-1.5">
        <div className="flex items-start justify-between gap-4">
          <Title className="text-base font-semibold">{title}</Title>
          {asks ? null : (
            <IconButton
              label={t("close")}
              icon={<X aria-hidden />}
              onClick={onClose}
              className="-mt-1 -mr-1.5"
            />
          )}
        </div>
        {description ? (
          <Description asChild>
            <div className="text-ink-2">{description}</div>
          </Description>
        ) : null}
      </header>
      {children}
    </Overlay>
  );
}
