"use client";

import type { ComponentPropsWithRef, MouseEvent } from "react";
import type { Elements } from "./sentences";
import { buttonStyle, type ButtonSize, type ButtonVariant } from "./button-style";
import { LoaderCircle } from "lucide-react";

type ButtonProps = ComponentPropsWithRef<"button"> & {
  variant?: ButtonVariant;
  size?: ButtonSize;
  /** Shown before the label, hidden from assistive technology. */
  icon?: Elements;
  /** The action is in progress: the button keeps focus, shows a spinner and ignores clicks. */
  pending?: boolean;
};

/**
 * A button. While `pending` it is `aria-disabled` instead of `disabled`, since a disabled element loses focus;
 * stopping the click also stops the implicit submission of a form by Enter.
 */
export function Button({
  variant = "secondary",
  size = "md",
  type = "button",
  icon,
  pending = false,
  className,
  children,
  onClick,
  ...rest
}: ButtonProps) {
  function handleClick(event: MouseEvent<HTMLButtonElement>) {
    if (pending) {
      event.preventDefault();
      event.stopPropagation();
      return;
    }
    onClick?.(event);
  }

  return (
    <button
      {...rest}
      type={type}
      onClick={handleClick}
      className={buttonStyle(variant, size, className)}
      {...(pending ? { "aria-disabled": true, "aria-busy": true } : {})}
    >
      {pending ? <Spinner /> : icon}
      <span className="contents">{children}</span>
    </button>
  );
}

/** A spinner without text; the element around it names the action. */
export function Spinner() {
  return <LoaderCircle aria-hidden className="size-4 shrink-0 animate-spin" />;
}
