import Link from "next/link";
import type { ComponentPropsWithRef } from "react";
import type { Elements } from "./sentences";
import { buttonStyle, type ButtonSize, type ButtonVariant } from "./button-style";

type ButtonLinkProps = ComponentPropsWithRef<typeof Link> & {
  variant?: ButtonVariant;
  size?: ButtonSize;
  /** Shown before the label, hidden from assistive technology. */
  icon?: Elements;
};

/** A link that looks like a button: for anything that has an address. */
export function ButtonLink({
  variant = "secondary",
  size = "md",
  icon,
  className,
  children,
  ...rest
}: ButtonLinkProps) {
  return (
    <Link prefetch={false} {...rest} className={buttonStyle(variant, size, className)}>
      {icon}
      <span className="contents">{children}</span>
    </Link>
  );
}
