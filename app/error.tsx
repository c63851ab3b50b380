"use client";

import { BareFrame } from "@/components/layout/bare-frame";
import { ErrorState, type ErrorPageProps } from "@/components/layout/states/error-state";

export default function ErrorPage(props: ErrorPageProps) {
  return (
    <BareFrame>
      <ErrorState {...props} />
    </BareFrame>
  );
}
