"use client";

import { Suspense, useState, type ReactNode } from "react";

type LastingBoundaryProps = {
  /** Left out: the content needs no boundary. */
  fallback?: ReactNode;
  children: ReactNode;
};

/**
 * Has a boundary, or none, for as long as the page is open. A refresh may take more or less time than the first load, and
 * if it changed this, React would draw the content anew and lose what its reader typed or opened.
 */
export function LastingBoundary({ fallback, children }: LastingBoundaryProps) {
  const [first] = useState(fallback);
  return first === undefined ? children : <Suspense fallback={first}>{children}</Suspense>;
}
