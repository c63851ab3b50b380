"use client";

import * as Radix from "@radix-ui/react-dialog";
import { setNonce } from "get-nonce";
import { X } from "lucide-react";
import { useTranslations } from "next-intl";
import { useRef, type ReactNode } from "react";
import { cn } from "./cn";
import { IconButton } from "./icon-button";

export type OverlayProps = {
  /** Its exact name. */
  title: string;
  description?: ReactNode;
  /** `alertdialog`: a question that must be answered, so a press outside does not answer it. */
  role?: "dialog" | "alertdialog";
  /** Over the page, or over a sheet. */
  layer: "page" | "sheet";
  /** The panel's place and look. */
  className: string;
  headerClassName?: string;
  /** Escape, the close button or a press outside. */
  onClose: () => void;
  /** Gives the focus to what the person begins with. */
  onOpened: (panel: HTMLElement) => void;
  /** Finds the element that takes the focus on closing where the one before is gone. */
  returnTo?: (() => HTMLElement | null) | undefined;
  children: ReactNode;
};

const layers = { page: ["z-40", "z-50"], sheet: ["z-60", "z-70"] } as const;

/**
 * What sheets and dialogs have in common: they are open while they are drawn, keep the focus inside, and return it where
 * it was. The library only knows its own triggers, and ours open by state or by the address. Where that element is gone,
 * the one that `returnTo` finds takes over, else the dialog underneath or the page's content.
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
    const isHere =
      element instanceof HTMLElement && element !== document.body && element.isConnected;
    const next = () =>
      returnTo?.() ??
      document.querySelector<HTMLElement>('[role="dialog"]') ??
      document.querySelector("main");
    (isHere ? element : next())?.focus();
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
 * The scroll lock of open dialogs injects a <style>, which the policy allows only with the page's nonce.
 * It is read from the document, not passed down: the document keeps the nonce of its first load,
 * while anything the server sends later would carry another one.
 */
function shareStyleNonce(): void {
  const nonce = document.querySelector<HTMLScriptElement>("script[nonce]")?.nonce;
  if (nonce) setNonce(nonce);
}
