"use client";

import { Suspense, useState, type ReactNode } from "react";

type LastingBoundaryProps = {
  /** Without a fallback, the content needs no boundary. */
  fallback?: ReactNode;
  children: ReactNode;
};

/**
 * Keeps the boundary that the page loaded with, or its absence. A refresh may be slow after a fast first load, or the
 * reverse; adding or removing the boundary would remount the content and lose what its reader typed or opened.
 */
export function LastingBoundary({ fallback, children }: LastingBoundaryProps) {
  const [first] = useState(fallback);
  return first === undefined ? children : <Suspense fallback={first}>{children}</Suspense>;
}
