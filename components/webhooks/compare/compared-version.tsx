"use client";

import { changedParts, sameAuthorization, type ShownVersion } from "@/lib/webhooks/model/compare";
import { useTranslations } from "next-intl";
import type { ReactNode } from "react";
import { Address } from "./address";
import { useAuthorizationWords } from "./use-authorization-words";

type ComparedSideProps = {
  name: string;
  version: ShownVersion;
  /** The earlier version: what differs from it stands out. */
  since?: NonNullable<ShownVersion>;
  emphasis?: "mine" | "now";
};

/** One version of a three-way comparison: addresses stand under each other, so that the eye can go down them. */
export function ComparedVersion({ name, version, since, emphasis }: ComparedSideProps) {
  const t = useTranslations("webhooks.conflict");
  const words = useAuthorizationWords();
  return (
    <div className={`px-3 py-2 ${emphasis ? styles[emphasis] : ""}`}>
      <dt className="text-small font-medium">{name}</dt>
      {version ? (
        <>
          <Value>
            <Address
              coloured
              url={version.url}
              part={since && changedParts(since.url, version.url)[1]}
            />
          </Value>
          <Value>
            authorization{" "}
            {since && !sameAuthorization(since.authorization, version.authorization) ? (
              <strong className="font-semibold">{words(version.authorization)}</strong>
            ) : (
              words(version.authorization)
            )}
          </Value>
        </>
      ) : (
        <Value>{t("notRegistered")}</Value>
      )}
    </div>
  );
}

const styles = { mine: "bg-brand-soft", now: "bg-warn-soft" } as const;

function Value({ children }: { children: ReactNode }) {
  return <dd className="font-mono text-xs leading-5 [overflow-wrap:anywhere]">{children}</dd>;
}
