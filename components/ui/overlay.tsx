"use client";

import * as Radix from "@radix-ui/react-dialog";
import type { Elements } from "@/components/ui/sentences";
import { setNonce } from "get-nonce";
import { X } from "lucide-react";
import { useTranslations } from "next-intl";
import { useRef, type ReactNode } from "react";
import { cn } from "./cn";
import { focusContent } from "./focus-content";
import { IconButton } from "./icon-button";

export type OverlayProps = {
  /** The dialog's exact accessible name. */
  title: string;
  description?: ReactNode;
  /** `alertdialog`: a question that must be answered, so a click outside does not close it. */
  role?: "dialog" | "alertdialog";
  /** Whether it opens above the page or above a sheet. */
  layer: "page" | "sheet";
  /** Positions and styles the panel. */
  className: string;
  headerClassName?: string;
  /** Called on Escape, the close button or a click outside. */
  onClose: () => void;
  /** Moves the focus to where the person begins. */
  onOpened: (panel: HTMLElement) => void;
  /** Finds the element to focus on closing if the previously focused one is gone. */
  returnTo?: (() => HTMLElement | null) | undefined;
  children: Elements;
};

const layers = { page: ["z-40", "z-50"], sheet: ["z-60", "z-70"] } as const;

/**
 * What sheets and dialogs have in common: they are open while mounted, trap the focus, and restore it on closing. Radix
 * restores it only to its own triggers, but state or the URL opens ours. If the previously focused element is gone, the
 * focus goes to the one that `returnTo` finds, else to the dialog underneath or to the page's content.
 */
export function Overlay(props: OverlayProps) {
  const { role = "dialog", layer, title, description, onClose, onOpened, returnTo } = props;
  const t = useTranslations("common");
  const panel = useRef<HTMLDivElement>(null);
  const before = useRef<Element | null>(null);
  if (typeof document !== "undefined") shareStyleNonce();
  const [scrim, above] = layers[layer];

  function restore(event: Event) {
    event.preventDefault();
    const element = before.current;
    const stillExists =
      element instanceof HTMLElement && element !== document.body && element.isConnected;
    const next = stillExists
      ? element
      : (returnTo?.() ?? document.querySelector<HTMLElement>('[role="dialog"]'));
    if (next) next.focus();
    else focusContent();
  }

  return (
    <Radix.Root open onOpenChange={(next) => !next && onClose()}>
      <Radix.Portal>
        <Radix.Overlay className={cn("fixed inset-0 animate-fade-in bg-scrim", scrim)} />
        <Radix.Content
          ref={panel}
          role={role}
          onOpenAutoFocus={(event) => {
            event.preventDefault();
            before.current = document.activeElement;
            if (panel.current) onOpened(panel.current);
          }}
          onCloseAutoFocus={restore}
          onInteractOutside={(event) => role === "alertdialog" && event.preventDefault()}
          {...(description ? {} : { "aria-describedby": undefined })}
          className={cn("fixed outline-none", above, props.className)}
        >
          <header className={cn("flex items-start justify-between gap-4", props.headerClassName)}>
            <div className="flex min-w-0 flex-col gap-1">
              <Radix.Title className="text-base font-semibold">{title}</Radix.Title>
              {description ? (
                <Radix.Description asChild>
                  <div className="text-ink-2">{description}</div>
                </Radix.Description>
              ) : null}
            </div>
            {role === "alertdialog" ? null : (
              <IconButton label={t("close")} icon={<X aria-hidden />} onClick={onClose} />
            )}
          </header>
          {props.children}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}

/**
 * The scroll lock of open dialogs injects a <style>, which the content security policy allows only with the page's
 * nonce. This reads the nonce from the document, which keeps that of its first load; later responses have another one.
 */
function shareStyleNonce(): void {
  const nonce = document.querySelector<HTMLScriptElement>("script[nonce]")?.nonce;
  if (nonce) setNonce(nonce);
}
