"use client";

import {
  type ChangedPart,
  changedParts,
  sameAuthorization,
  type ShownVersion,
} from "@/lib/webhooks/model/compare";
import { useTranslations } from "next-intl";
import type { ReactNode } from "react";
import { useAuthorizationWords } from "./use-authorization-words";

type ComparedSideProps = {
  name: string;
  version: ShownVersion;
  /** What it was: what differs from it stands out. */
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
            <span className="break-all">
              {since ? <Marked part={changedParts(since.url, version.url)[1]} /> : version.url}
            </span>
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

/** A text whose differing part stands out by weight, not by colour alone. */
export function Marked({ part: { start, changed, end } }: { part: ChangedPart }) {
  return (
    <>
      {start}
      {changed ? (
        <strong className="font-semibold underline decoration-1 underline-offset-3">
          {changed}
        </strong>
      ) : null}
      {end}
    </>
  );
}
