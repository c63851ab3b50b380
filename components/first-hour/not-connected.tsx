"use client";

import { useHere } from "@/components/layout/here";
import { ButtonLink } from "@/components/ui/button-link";
import { useFormatter, useTranslations } from "next-intl";
import { Path, Step } from "./path";

type NotConnectedProps = {
  /** The page to set up the connection, if the viewer may. */
  connectionHref?: string | undefined;
  /** The names of the admins who may, for everybody else. */
  admins: readonly string[];
};

/** The path where its first step is still to do. */
export function NotConnected({ connectionHref, admins }: NotConnectedProps) {
  const t = useTranslations("firstHour");
  const { partner } = useHere();
  const names = useFormatter().list(admins, { type: "disjunction" });
  const whom = admins.length > 0 ? "ask" : "waiting";
  return (
    <Path>
      <Step
        number={1}
        state="current"
        title={t("connect.title")}
        text={t(`connect.${connectionHref ? "text" : whom}`, { partner: partner.name, names })}
        actions={
          connectionHref ? (
            <ButtonLink variant="primary" href={connectionHref}>
              {t("connect.button")}
            </ButtonLink>
          ) : null
        }
      />
      <Step number={2} state="ahead" title={t("secret.title")} text={t("secret.text")} />
      <Step number={3} state="ahead" title={t("register.title")} text={t("register.text")} />
      <Step number={4} state="ahead" title={t("proof.title")} text={t("proof.text")} />
    </Path>
  );
}
