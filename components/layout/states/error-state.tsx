"use client";

import { buttonStyle } from "@/components/ui/button-style";
import { Chip } from "@/components/ui/chip";
import type { ProblemCode } from "@/lib/platform/http/model/problem-code";
import { useTranslations } from "next-intl";
import { useTransition } from "react";
import { useNoNetwork } from "@/lib/platform/http/client/use-no-network";
import { State } from "./frame";

/** The props that Next gives an error boundary. */
export type ErrorPageProps = { error: unknown; retry: () => void };

/** Errors of an unavailable database have this digest. */
const databaseUnavailable: ProblemCode = "database_unavailable";

/** For unexpected errors. `digest` is the error's id in the server's log. */
export function ErrorState({ error, retry }: ErrorPageProps) {
  const t = useTranslations();
  const [pending, startTransition] = useTransition();
  const digest = digestOf(error);
  const noNetwork = useNoNetwork();
  const databaseAway = digest === databaseUnavailable;
  return (
    <State
      icon={<Alert />}
      tone="bad"
      title={t(`shell.${noNetwork ? "notLoaded" : databaseAway ? "databaseAway" : "error"}.title`)}
      actions={
        <button
          type="button"
          className={buttonStyle("primary", "md")}
          {...(pending ? { "aria-disabled": true, "aria-busy": true } : {})}
          onClick={() => {
            if (!pending) startTransition(retry);
          }}
        >
          {t("common.tryAgain")}
        </button>
      }
    >
      <p>
        {t(
          `shell.${noNetwork ? "error.offline" : databaseAway ? "databaseAway.text" : "error.text"}`,
        )}
      </p>
      {digest && !databaseAway ? (
        <p>
          {t("shell.error.quote")} <Chip>{digest}</Chip>
        </p>
      ) : null}
    </State>
  );
}

/** An inline icon instead of an import, because every page loads this file for errors. */
function Alert() {
  return (
    <svg
      viewBox="0 0 24 24"
      aria-hidden
      className="fill-none stroke-current"
      strokeWidth="2"
      strokeLinecap="round"
    >
      <circle cx="12" cy="12" r="10" />
      <path d="M12 8v4M12 16h.01" />
    </svg>
  );
}

function digestOf(error: unknown): string | null {
  return error instanceof Error && "digest" in error && typeof error.digest === "string"
    ? error.digest
    : null;
}
