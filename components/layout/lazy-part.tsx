"use client";

import { useReload } from "@/components/layout/states/use-reload";
import { Button } from "@/components/ui/button";
import { useNoNetwork } from "@/lib/platform/http/client/use-no-network";
import { useTranslations } from "next-intl";
import { useEffect, useId, useRef, useState, type ComponentType } from "react";

/**
 * A dialog or another part whose code loads when somebody opens it. If it cannot load, because Gancho is unreachable or
 * has a newer build, a dialog says so and the page stays as it is: nothing is lost, since there is no draft yet.
 */
export function lazyPart<Props extends { onClose: () => void }>(
  load: () => Promise<ComponentType<Props>>,
) {
  let loaded: ComponentType<Props> | undefined;
  const loadOnce = async () => (loaded ??= await load());

  function LazyPart(props: Props) {
    const [state, setState] = useState<"ready" | "loading" | "failed">(
      loaded ? "ready" : "loading",
    );
    const { reload, ...reloading } = useReload();
    useEffect(() => {
      loadOnce().then(
        () => setState("ready"),
        () => setState("failed"),
      );
    }, []);

    async function retry() {
      // After a reload, a part that the URL names opens again.
      await loadOnce().then(() => setState("ready"), reload);
    }

    const Loaded = loaded;
    if (state === "ready" && Loaded) return <Loaded {...props} />;
    return state === "failed" ? (
      <NotLoaded {...reloading} onRetry={() => void retry()} onClose={props.onClose} />
    ) : null;
  }

  return {
    LazyPart,
    /** Preloads the code. A failure only shows when the part opens. */
    preload: () => void loadOnce().catch(() => {}),
  };
}

type NotLoadedProps = Omit<ReturnType<typeof useReload>, "reload"> & {
  onRetry: () => void;
  onClose: () => void;
};

/** Uses the native dialog: it has to work when nothing can be fetched, and adds little to the first load. */
function NotLoaded({ asking, unanswered, onRetry, onClose }: NotLoadedProps) {
  const t = useTranslations();
  const noNetwork = useNoNetwork();
  const id = useId();
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => dialog.current?.showModal(), []);
  return (
    <dialog
      ref={dialog}
      role="alertdialog"
      aria-labelledby={`${id}-title`}
      aria-describedby={`${id}-text`}
      onClose={onClose}
      className="m-auto w-[calc(100%-2rem)] max-w-md animate-fade-in rounded-card border border-line bg-surface p-5 text-ink shadow-menu backdrop:bg-scrim sm:p-6"
    >
      <h2 id={`${id}-title`} className="text-base font-semibold">
        {t("shell.notLoaded.title")}
      </h2>
      <p id={`${id}-text`} className="mt-1.5 text-ink-2">
        {t(noNetwork ? "shell.notLoaded.offline" : "shell.notLoaded.text")}
      </p>
      <p role="status" className="mt-1.5 text-ink-2 empty:hidden">
        {unanswered ? t("shell.notLoaded.unanswered") : ""}
      </p>
      <div className="mt-5 flex flex-wrap justify-end gap-2">
        <Button onClick={() => dialog.current?.close()}>{t("common.close")}</Button>
        <Button variant="primary" pending={asking} onClick={onRetry}>
          {t("common.tryAgain")}
        </Button>
      </div>
    </dialog>
  );
}
