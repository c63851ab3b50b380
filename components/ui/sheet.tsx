"use client";

import { Description, Title } from "@radix-ui/react-dialog";
import { X } from "lucide-react";
import { useTranslations } from "next-intl";
import type { ReactNode } from "react";
import { IconButton } from "./icon-button";
import { Overlay } from "./overlay";

type SheetProps = {
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
  footer: ReactNode;
  /** It has nothing to focus, so its content takes the focus: otherwise nobody could scroll it without a mouse. */
  scrollsItself?: boolean;
  children: ReactNode;
};

/** A panel at the right on a wide screen, the whole screen on a phone. */
export function Sheet(props: SheetProps) {
  const { title, description, onCloseRequest, onOpened, scrollsItself = false } = props;
  const t = useTranslations("common");
  return (
    <Overlay
      layer="page"
      isDescribed={Boolean(description)}
      onClose={onCloseRequest}
      onOpened={(panel) => {
        // The panel itself, so that title and description are read first and a phone's keyboard stays down.
        if (onOpened && matchMedia("(pointer: fine)").matches) onOpened();
        else panel.focus();
      }}
      returnTo={props.returnTo}
      className="inset-y-0 right-0 flex w-full animate-slide-in flex-col border-line bg-surface shadow-sheet sm:max-w-135 sm:border-l"
    >
      <header className="flex items-start justify-between gap-4 border-b border-line px-4 py-4 sm:px-6 sm:py-5">
        <div className="min-w-0">
          <Title className="text-base font-semibold">{title}</Title>
          {description ? (
            <Description className="mt-0.5 text-ink-2">{description}</Description>
          ) : null}
        </div>
        <IconButton label={t("close")} icon={<X aria-hidden />} onClick={onCloseRequest} />
      </header>
      <div
        {...(scrollsItself && { tabIndex: 0 })}
        className="min-h-0 flex-1 overflow-y-auto overscroll-contain px-4 py-5 sm:px-6"
      >
        {props.children}
      </div>
      <footer className="flex flex-wrap items-center justify-end gap-2 border-t border-line px-4 py-3 sm:px-6">
        {props.footer}
      </footer>
    </Overlay>
  );
}
