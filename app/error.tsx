"use client";

import { ErrorState, type ErrorPageProps } from "@/components/shell/error-state";

export default function ErrorPage(props: ErrorPageProps) {
  return (
    <main className="px-4">
      <ErrorState {...props} />
    </main>
  );
}
