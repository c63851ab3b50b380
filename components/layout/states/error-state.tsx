"use client";

import { Button } from "@/components/ui/button";
import { Chip } from "@/components/ui/chip";
import { CircleAlert } from "lucide-react";
import { useTranslations } from "next-intl";
import { useTransition } from "react";
import { useNoNetwork } from "./offline-banner";
import { State } from "./frame";

/** What an error boundary of the framework is given. */
export type ErrorPageProps = { error: unknown; retry: () => void };

/** For what nobody expected. `digest` is what the server's log calls the error. */
export function ErrorState({ error, retry }: ErrorPageProps) {
  const t = useTranslations();
  const [pending, startTransition] = useTransition();
  const digest = digestOf(error);
  const noNetwork = useNoNetwork();
  return (
    <State
      icon={<CircleAlert aria-hidden />}
      tone="bad"
      title={noNetwork ? t("shell.notLoaded.title") : t("shell.error.title")}
      actions={
        <Button variant="primary" pending={pending} onClick={() => startTransition(retry)}>
          {t("common.tryAgain")}
        </Button>
      }
    >
      <p>{noNetwork ? t("shell.error.offline") : t("shell.error.text")}</p>
      {digest ? (
        <p>
          {t("shell.error.quote")} <Chip>{digest}</Chip>
        </p>
      ) : null}
    </State>
  );
}

function digestOf(error: unknown): string | null {
  return error instanceof Error && "digest" in error && typeof error.digest === "string"
    ? error.digest
    : null;
}
