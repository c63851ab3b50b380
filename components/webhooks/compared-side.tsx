"use client";

import type { Side } from "@/lib/webhooks/side";
import { useTranslations } from "next-intl";
import type { ReactNode } from "react";
import { useAuthorizationWords } from "./use-authorization-words";

type ComparedSideProps = {
  name: string;
  side: Side;
  emphasis?: "mine" | "now";
};

/** One side of a three-way comparison: addresses stand under each other, so that the eye can go down them. */
export function ComparedSide({ name, side, emphasis }: ComparedSideProps) {
  const t = useTranslations("webhooks.conflict");
  const words = useAuthorizationWords();
  return (
    <div className={`px-3 py-2 ${emphasis ? styles[emphasis] : ""}`}>
      <dt className="text-small font-medium">{name}</dt>
      {side ? (
        <>
          <Value>{side.url}</Value>
          <Value>authorization {words(side.authorization)}</Value>
        </>
      ) : (
        <Value>{t("notRegistered")}</Value>
      )}
    </div>
  );
}

const styles = { mine: "bg-brand-soft", now: "bg-warn-soft" } as const;

function Value({ children }: { children: ReactNode }) {
  return <dd className="font-mono text-xs leading-5 break-all">{children}</dd>;
}
