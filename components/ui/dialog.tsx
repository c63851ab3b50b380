"use client";

import * as Radix from "@radix-ui/react-dialog";
import { X } from "lucide-react";
import { useTranslations } from "next-intl";
import { useRef, type ReactNode } from "react";
import { cn } from "./cn";
import { IconButton } from "./icon-button";
import { useOverlay } from "./use-overlay";

type DialogProps = {
  /** The dialog's exact name. */
  title: string;
  description?: ReactNode;
  /** Wide, for comparisons. */
  wide?: boolean;
  /** Escape, the close button or a press outside. */
  onClose: () => void;
  /** Finds the element that takes the focus on closing where the one before is gone. */
  returnTo?: () => HTMLElement | null;
  children: ReactNode;
};

/** A small task on top of the page, open while it is drawn. Focus starts in its first field, if it has one. */
export function Dialog({
  title,
  description,
  wide = false,
  onClose,
  returnTo,
  children,
}: DialogProps) {
  const t = useTranslations("common");
  const panel = useRef<HTMLDivElement>(null);
  const focus = useOverlay(true, returnTo);

  return (
    <Radix.Root open onOpenChange={(next) => !next && onClose()}>
      <Radix.Portal>
        <Radix.Overlay className="fixed inset-0 z-60 animate-fade-in bg-scrim" />
        <Radix.Content
          ref={panel}
          onOpenAutoFocus={(event) => {
            event.preventDefault();
            focus.remember();
            (panel.current?.querySelector("input") ?? panel.current)?.focus();
          }}
          onCloseAutoFocus={focus.restore}
          {...(description ? {} : { "aria-describedby": undefined })}
          className={cn(
            "fixed inset-x-4 top-1/2 z-70 mx-auto flex max-h-[calc(100dvh-2rem)] -translate-y-1/2 animate-fade-in flex-col gap-5 overflow-y-auto rounded-card border border-line bg-surface p-5 shadow-menu outline-none sm:p-6",
            wide ? "max-w-xl" : "max-w-md",
          )}
        >
          <header className="flex flex-col gap-1.5">
            <div className="flex items-start justify-between gap-4">
              <Radix.Title className="text-base font-semibold">{title}</Radix.Title>
              <IconButton
                label={t("close")}
                icon={<X aria-hidden />}
                onClick={onClose}
                className="-mt-1 -mr-1.5"
              />
            </div>
            {description ? (
              <Radix.Description className="text-ink-2">{description}</Radix.Description>
            ) : null}
          </header>
          {children}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}
