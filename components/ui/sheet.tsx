"use client";

import * as Dialog from "@radix-ui/react-dialog";
import { X } from "lucide-react";
import { useTranslations } from "next-intl";
import { useRef, type ReactNode } from "react";
import { IconButton } from "./icon-button";
import { useOverlay } from "./use-overlay";

type SheetProps = {
  open: boolean;
  /** The dialog's exact name. */
  title: string;
  description?: ReactNode;
  /**
   * Escape, the close button or a press outside. The caller decides: close, or ask first where something would be lost.
   */
  onCloseRequest: () => void;
  /** Focuses the field to begin with, in a sheet that has one main field. */
  onOpened?: () => void;
  /** Finds the element that takes the focus on closing where the one before is gone. */
  returnTo?: () => HTMLElement | null;
  /** Stays in view under the scrolling content; a submit button here names its form with the `form` attribute. */
  footer?: ReactNode;
  /** It has nothing to focus, so its content takes the focus: otherwise nobody could scroll it without a mouse. */
  scrollsItself?: boolean;
  children: ReactNode;
};

/** A panel at the right on a wide screen, the whole screen on a phone. Focus stays inside and returns where it was. */
export function Sheet({
  open,
  title,
  description,
  onCloseRequest,
  onOpened,
  returnTo,
  footer,
  scrollsItself = false,
  children,
}: SheetProps) {
  const t = useTranslations("common");
  const panel = useRef<HTMLDivElement>(null);
  const focus = useOverlay(open, returnTo);

  return (
    <Dialog.Root open={open} onOpenChange={(next) => !next && onCloseRequest()}>
      <Dialog.Portal>
        <Dialog.Overlay className="fixed inset-0 z-40 animate-fade-in bg-scrim" />
        <Dialog.Content
          ref={panel}
          onOpenAutoFocus={(event) => {
            event.preventDefault();
            focus.remember();
            // The panel itself, so that title and description are read first and a phone's keyboard stays down.
            if (onOpened && matchMedia("(pointer: fine)").matches) onOpened();
            else panel.current?.focus();
          }}
          onCloseAutoFocus={focus.restore}
          {...(description ? {} : { "aria-describedby": undefined })}
          className="fixed inset-y-0 right-0 z-50 flex w-full animate-slide-in flex-col border-line bg-surface shadow-sheet outline-none sm:max-w-135 sm:border-l"
        >
          <header className="flex items-start justify-between gap-4 border-b border-line px-4 py-4 sm:px-6 sm:py-5">
            <div className="min-w-0">
              <Dialog.Title className="text-base font-semibold">{title}</Dialog.Title>
              {description ? (
                <Dialog.Description className="mt-0.5 text-ink-2">{description}</Dialog.Description>
              ) : null}
            </div>
            <IconButton label={t("close")} icon={<X aria-hidden />} onClick={onCloseRequest} />
          </header>
          <div
            {...(scrollsItself && { tabIndex: 0 })}
            className="min-h-0 flex-1 overflow-y-auto overscroll-contain px-4 py-5 sm:px-6"
          >
            {children}
          </div>
          {footer ? (
            <footer className="flex flex-wrap items-center justify-end gap-2 border-t border-line px-4 py-3 sm:px-6">
              {footer}
            </footer>
          ) : null}
        </Dialog.Content>
      </Dialog.Portal>
    </Dialog.Root>
  );
}
