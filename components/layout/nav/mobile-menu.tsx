"use client";

import { IconButton } from "@/components/ui/icon-button";
import { Menu as MenuIcon, X } from "lucide-react";
import { useTranslations } from "next-intl";
import { useEffect, useRef, useState, type ReactNode } from "react";

type MobileMenuProps = {
  /** The drawer's content; drawn only while it is open, so that nothing on the page exists twice. */
  children: ReactNode;
  className?: string;
};

/** A drawer in the browser's own modal dialog, which brings the focus trap, Escape and the inert page behind it. */
export function MobileMenu({ children, className }: MobileMenuProps) {
  const t = useTranslations();
  const dialog = useRef<HTMLDialogElement>(null);
  const [open, setOpen] = useState(false);

  useEffect(() => {
    if (open) dialog.current?.showModal();
  }, [open]);

  return (
    <div className={className}>
      <IconButton
        label={t("shell.openMenu")}
        aria-haspopup="dialog"
        icon={<MenuIcon aria-hidden />}
        onClick={() => setOpen(true)}
        className="size-10"
      />
      {open ? (
        <dialog
          ref={dialog}
          aria-label={t("shell.menu")}
          onClose={() => setOpen(false)}
          onClick={(event) => {
            // A press on the backdrop, or on a link to another page.
            const { target } = event;
            if (target === dialog.current || (target instanceof Element && target.closest("a"))) {
              dialog.current?.close();
            }
          }}
          className="fixed inset-y-0 right-0 left-auto m-0 h-dvh max-h-none w-72 max-w-[85vw] animate-slide-in border-l border-line bg-surface text-ink shadow-sheet backdrop:bg-scrim"
        >
          <div className="flex h-full flex-col gap-3 p-3">
            <div className="flex items-center justify-between pl-2">
              <span className="font-semibold">{t("shell.menu")}</span>
              <IconButton
                label={t("common.close")}
                icon={<X aria-hidden />}
                onClick={() => dialog.current?.close()}
                className="size-10"
              />
            </div>
            {children}
          </div>
        </dialog>
      ) : null}
    </div>
  );
}
