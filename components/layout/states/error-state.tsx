"use client";

import { buttonStyle } from "@/components/ui/button-style";
import { Chip } from "@/components/ui/chip";
import type { ProblemCode } from "@/lib/platform/http/model/problem-code";
import { useTranslations } from "next-intl";
import { useTransition } from "react";
import { useNoNetwork } from "@/lib/platform/http/client/use-no-network";
import { State } from "./frame";
import { useReload } from "./use-reload";

/** The props that Next gives an error boundary. */
export type ErrorPageProps = { error: unknown; retry: () => void };

/** Errors of an unavailable database have this digest. */
const databaseUnavailable: ProblemCode = "database_unavailable";

const titles = {
  offline: "shell.notLoaded.title",
  notLoaded: "shell.notLoaded.title",
  databaseAway: "shell.databaseAway.title",
  error: "shell.error.title",
} as const;

const texts = {
  offline: "shell.error.offline",
  notLoaded: "shell.error.notLoaded",
  databaseAway: "shell.databaseAway.text",
  error: "shell.error.text",
} as const;

/** For unexpected errors. `digest` is the error's id in the server's log. */
export function ErrorState({ error, retry }: ErrorPageProps) {
  const t = useTranslations();
  const [retrying, startTransition] = useTransition();
  const { asking, unanswered, reload } = useReload();
  const pending = retrying || asking;
  const digest = digestOf(error);
  const noNetwork = useNoNetwork();
  const databaseAway = digest === databaseUnavailable;
  const state = noNetwork
    ? "offline"
    : databaseAway
      ? "databaseAway"
      : error instanceof Error && error.name === "ChunkLoadError"
        ? "notLoaded"
        : "error";

  function tryAgain() {
    // The server may render what it could not; what failed in the browser alone fails there again.
    if (digest) startTransition(retry);
    else void reload();
  }

  return (
    <State
      icon={<Alert />}
      tone="bad"
      title={t(titles[state])}
      actions={
        <button
          type="button"
          className={buttonStyle("primary", "md")}
          {...(pending ? { "aria-disabled": true, "aria-busy": true } : {})}
          onClick={() => {
            if (!pending) tryAgain();
          }}
        >
          {t("common.tryAgain")}
        </button>
      }
    >
      <p>{t(texts[state])}</p>
      <p role="status" className="empty:hidden">
        {unanswered ? t("shell.notLoaded.unanswered") : ""}
      </p>
      {digest && !databaseAway ? (
        <p>
          <span>{t("shell.error.quote")}</span> <Chip>{digest}</Chip>
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
