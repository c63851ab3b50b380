"use client";

import { intoView, yieldsFocus } from "@/components/ui/focus-content";
import { IconButton } from "@/components/ui/icon-button";
import { Notice } from "@/components/ui/notice";
import { X } from "lucide-react";
import { useTranslations } from "next-intl";
import { useDeferredValue, useEffect, useRef, type ComponentProps } from "react";
import { FailureNotice } from "./failure-notice";

type Done = Pick<ComponentProps<typeof Notice>, "tone" | "title" | "actions" | "children">;

type ResultNoticeProps = {
  /** Null if there is no result. */
  result: Done | ComponentProps<typeof FailureNotice> | null;
  onDismiss?: () => void;
  /** Set if the pressed button is gone, so that the notice takes the focus. */
  takesFocus?: boolean;
};

/**
 * The outcome of the last change, scrolled into view. The live region is always there, so that assistive technology
 * announces new content.
 */
export function ResultNotice({ result: latest, ...rest }: ResultNoticeProps) {
  // Deferred by a render: while a dialog is open, the page is hidden from assistive technology.
  const result = useDeferredValue(latest);
  return (
    <div role="status" className="empty:absolute">
      {result === null || ("failure" in result && !result.failure) ? null : (
        <div ref={intoView}>
          {"failure" in result ? (
            <FailureNotice {...result} />
          ) : (
            <DoneNotice {...rest} result={result} />
          )}
        </div>
      )}
    </div>
  );
}

function DoneNotice({
  result,
  onDismiss,
  takesFocus = false,
}: Omit<ResultNoticeProps, "result"> & { result: Done }) {
  const t = useTranslations("common");
  const notice = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (takesFocus) notice.current?.focus();
  }, [takesFocus]);
  return (
    <Notice
      {...result}
      ref={notice}
      tabIndex={takesFocus ? -1 : undefined}
      className={onDismiss ? "relative pr-14 outline-none" : "outline-none"}
    >
      {result.children ? <div>{result.children}</div> : null}
      {onDismiss ? (
        <IconButton
          ref={yieldsFocus}
          label={t("dismiss")}
          icon={<X aria-hidden />}
          onClick={onDismiss}
          className="absolute top-2 right-2"
        />
      ) : null}
    </Notice>
  );
}
