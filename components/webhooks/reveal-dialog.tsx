"use client";

import { Dialog } from "@/components/ui/dialog";
import type { WebhookType } from "@/lib/webhooks/types";
import { useTranslations } from "next-intl";
import { useEffect, useEffectEvent } from "react";
import { flushSync } from "react-dom";
import { HiddenAgain } from "./hidden-again";
import { NoValue } from "./no-value";
import { findRevealButton } from "./reveal-button";
import { RevealForm } from "./reveal-form";
import { RevealedValue } from "./revealed-value";
import { useReveal } from "./use-reveal";

/** Long enough to copy it or to compare it by eye. */
const shownSeconds = 60;

type RevealDialogProps = {
  place: { partner: string; environment: string };
  partnerName: string;
  type: WebhookType;
  fingerprint: string | null;
  passwordCounts: boolean;
  onPasswordGiven: () => void;
  onClose: () => void;
};

/** Asks whether it is really them, then shows the value for a while. Closed, nothing of it is left in the page. */
export function RevealDialog(props: RevealDialogProps) {
  const { place, partnerName, type, fingerprint, passwordCounts, onPasswordGiven, onClose } = props;
  const t = useTranslations();
  const typeName = t(`webhooks.types.${type}`);
  const { step, pending, ask, hide } = useReveal({
    ...place,
    type,
    fingerprint,
    passwordCounts,
    onPasswordGiven,
  });
  useClosedOnLeaving(onClose);

  return (
    <Dialog
      title={t("webhooks.reveal.title", { type: typeName })}
      description={
        step.kind === "ask"
          ? t("webhooks.reveal.intro", { partner: partnerName, seconds: shownSeconds })
          : null
      }
      closeLabel={t("common.close")}
      onClose={onClose}
      returnTo={() => findRevealButton(type)}
    >
      {step.kind === "ask" ? (
        <RevealForm
          {...step}
          pending={pending}
          onAsk={(given) => void ask(given)}
          onCancel={onClose}
        />
      ) : step.kind === "over" ? (
        <HiddenAgain pending={pending} onAgain={() => void ask()} onClose={onClose} />
      ) : step.revealed.absence === null && step.revealed.authorization !== null ? (
        <RevealedValue
          value={step.revealed.authorization}
          typeName={typeName}
          changed={step.changed}
          seconds={shownSeconds}
          onOver={hide}
          onClose={onClose}
        />
      ) : (
        <NoValue
          absence={step.revealed.absence ?? "not_set"}
          typeName={typeName}
          onClose={onClose}
        />
      )}
    </Dialog>
  );
}

/** A page that is left may be kept whole, to be there at once when somebody presses Back: without the value, then. */
function useClosedOnLeaving(onClose: () => void): void {
  const close = useEffectEvent(onClose);
  useEffect(() => {
    const leave = () => flushSync(() => close());
    window.addEventListener("pagehide", leave);
    return () => window.removeEventListener("pagehide", leave);
  }, []);
}
