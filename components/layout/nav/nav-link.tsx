"use client";

import { cn } from "@/components/ui/cn";
import type { LucideIcon } from "lucide-react";
import Link from "next/link";
import type { ReactNode } from "react";

type NavLinkProps = { href: string; icon: LucideIcon; current: boolean; children: ReactNode };

/**
 * One line of the navigation. Every page is drawn for its reader, so there is nothing of it to fetch ahead: all of them
 * together would cost ten requests with each page.
 */
export function NavLink({ href, icon: Icon, current, children }: NavLinkProps) {
  return (
    <Link
      href={href}
      prefetch={false}
      aria-current={current ? "page" : undefined}
      className={cn(
        "flex min-h-9 items-center gap-2.5 rounded-control px-2.5 transition-colors",
        current ? "bg-hover font-medium text-ink" : "text-ink-2 hover:bg-hover hover:text-ink",
      )}
    >
      <Icon aria-hidden className="size-4 shrink-0" />
      {children}
    </Link>
  );
}
