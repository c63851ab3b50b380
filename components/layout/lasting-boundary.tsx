"use client";

import { Suspense, useState, type ReactNode } from "react";

type LastingBoundaryProps = {
  /** Left out: the content needs no boundary. */
  fallback?: ReactNode;
  children: ReactNode;
};

/**
 * Keeps what the page came with, a boundary or none. A refresh may need one where the first load did not, or the other
 * way round; if it came or went, React would draw the content anew and lose what its reader typed or opened.
 */
export function LastingBoundary({ fallback, children }: LastingBoundaryProps) {
  const [first] = useState(fallback);
  return first === undefined ? children : <Suspense fallback={first}>{children}</Suspense>;
}
