"use client";

import { Children, Suspense, useState, type ReactNode } from "react";
import type { Elements } from "@/components/ui/sentences";

type LastingBoundaryProps = {
  /** Without a fallback, the content needs no boundary. */
  fallback?: ReactNode;
  children: Elements | Promise<Elements>;
};

/**
 * Keeps the boundary that the page loaded with, or its absence. A refresh may be slow after a fast first load, or the
 * reverse; adding or removing the boundary would remount the content and lose what its reader typed or opened.
 */
export function LastingBoundary({ fallback, children }: LastingBoundaryProps) {
  const [first] = useState(fallback);
  return first === undefined ? children : <Suspense fallback={first}>{children}</Suspense>;
}

/**
 * A part that most pages lack, and whose code is loaded on use (`dynamic` without a `loading`): no children where it is
 * not there. If it appears on an open page, the rest keeps its dialogs and typed text while the code loads. If the page
 * comes with it, it has no boundary: React would send what is below it first, which would then move down.
 */
export function AppearingPart({ children }: { children: Elements }) {
  const isThere = Children.count(children) > 0;
  return <LastingBoundary {...(!isThere && { fallback: null })}>{children}</LastingBoundary>;
}
