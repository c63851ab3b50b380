"use client";

import { useRouter } from "next/navigation";
import { useEffect, useTransition } from "react";

/** Asks for the page again: when the person wants to, and once `reading`, which the page did not wait for, has ended. */
export function usePageAgain(reading: Promise<unknown> | null) {
  const router = useRouter();
  const [pending, startTransition] = useTransition();
  useEffect(() => {
    let isOver = false;
    void reading?.then(
      () => isOver || startTransition(() => router.refresh()),
      () => undefined,
    );
    return () => void (isOver = true);
  }, [reading, router]);
  return { pending, again: () => startTransition(() => router.refresh()) };
}
