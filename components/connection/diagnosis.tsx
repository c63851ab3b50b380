"use client";

import { ProblemText } from "@/components/forms/failure-notice";
import { CopyButton } from "@/components/ui/copy-button";
import { useTranslations } from "next-intl";
import type { ComponentProps } from "react";

type DiagnosisProps = Pick<ComponentProps<typeof ProblemText>, "problem" | "children"> & {
  /** The IP address that Gancho calls from, if the operator has configured it. */
  publicAddress: string | null;
};

/** Why credentials failed in a check or were refused on saving, and what to do about it. */
export function Diagnosis({ problem, publicAddress, children }: DiagnosisProps) {
  const { code } = problem;
  const instead =
    code === "credentials_rejected" ? (
      <RejectedCredentials />
    ) : code === "ip_not_allowed" ? (
      <AddressNotAllowed address={publicAddress} />
    ) : undefined;
  return (
    <ProblemText problem={problem} instead={instead}>
      {children}
    </ProblemText>
  );
}

/** The service gives the same answer in all three cases (contract 7.1), so the text has to name all of them. */
function RejectedCredentials() {
  const t = useTranslations("connection.diagnosis.credentials");
  return (
    <>
      <p>{`${t("title")} ${t("which")}`}</p>
      <ul className="list-disc space-y-0.5 pl-5">
        <li>{t("clientId")}</li>
        <li>{t("clientSecret")}</li>
        <li>{t("inactive")}</li>
      </ul>
    </>
  );
}

function AddressNotAllowed({ address }: { address: string | null }) {
  const t = useTranslations();
  return (
    <>
      <p>{t("connection.diagnosis.address.title")}</p>
      {address === null ? (
        <p>{t("connection.diagnosis.address.unknown")}</p>
      ) : (
        <>
          <p>{t("connection.diagnosis.address.known")}</p>
          <p className="flex items-center gap-2">
            <code translate="no" className="min-w-0 font-mono text-[0.8125rem] break-all">
              {address}
            </code>
            <CopyButton text={address} label={t("connection.diagnosis.address.copy")} />
          </p>
        </>
      )}
    </>
  );
}
