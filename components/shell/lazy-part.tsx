"use client";

import { ConfirmDialog } from "@/components/ui/confirm-dialog";
import { useTranslations } from "next-intl";
import { useEffect, useState, type ComponentType } from "react";

/**
 * A dialog whose code comes when somebody reaches for it. Where it does not come, because the network or Gancho is
 * away or has a newer build, the page stays as it is and says so: nothing broke, and there is no draft in it yet.
 */
export function lazyPart<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
  /** Closes it again. */
  close: (props: Props) => void,
) {
  let loaded: ComponentType<Props> | undefined;
  const loadOnce = async () => (loaded ??= await load());

  function LazyPart(props: Props) {
    const t = useTranslations();
    const [state, setState] = useState<"ready" | "loading" | "failed">(
      loaded ? "ready" : "loading",
    );
    useEffect(() => {
      if (state !== "loading") return;
      let gone = false;
      const tell = (next: "ready" | "failed") => {
        if (!gone) setState(next);
      };
      loadOnce().then(
        () => tell("ready"),
        () => tell("failed"),
      );
      return () => {
        gone = true;
      };
    }, [state]);

    async function retry() {
      // A browser may keep a failure; the address says what was to be opened, so a new page does as well.
      await loadOnce().then(
        () => setState("ready"),
        () => navigator.onLine && location.reload(),
      );
    }

    const Loaded = loaded;
    if (state === "ready" && Loaded) return <Loaded {...props} />;
    return (
      <ConfirmDialog
        open={state === "failed"}
        title={t("shell.notLoaded.title")}
        confirmLabel={t("common.tryAgain")}
        cancelLabel={t("common.close")}
        onConfirm={() => void retry()}
        onCancel={() => close(props)}
      >
        {t("shell.notLoaded.text")}
      </ConfirmDialog>
    );
  }

  return {
    LazyPart,
    /** For the moment somebody reaches for it. A failure counts when it is opened, not before. */
    preload: () => void loadOnce().catch(() => {}),
  };
}
