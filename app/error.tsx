"use client";

import { BareFrame } from "@/components/shell/bare-frame";
import { ErrorState, type ErrorPageProps } from "@/components/shell/error-state";

export default function ErrorPage(props: ErrorPageProps) {
  return (
    <BareFrame>
      <ErrorState {...props} />
    </BareFrame>
  );
}
