"use client";

import { Fact } from "@/components/ui/fact";
import { FailureNotice } from "@/components/forms/failure-notice";
import { Button } from "@/components/ui/button";
import { ButtonLink } from "@/components/ui/button-link";
import { BareCard } from "@/components/layout/bare-frame";
import { Notice } from "@/components/ui/notice";
import { Skeleton } from "@/components/ui/skeleton";
import type { Over } from "@/lib/team/client/invitation";
import { useTranslations } from "next-intl";
import { AcceptButton, AnotherPerson, SignInFirst } from "./known-person";
import { NewPerson } from "./new-person-form";
import { useInvitation, type OpenOffer, type Stage } from "./use-invitation";
import { AbsoluteTime } from "@/components/ui/time";

/** From an invitation to being part of a partner. `provider`: what single sign-on is called, if it is set up. */
export function InvitationScreen({ provider }: { provider: string | null }) {
  const t = useTranslations();
  const { stage, reload, accept } = useInvitation();
  const title = useTitle(stage);
  return (
    <BareCard
      title={title}
      intro={
        stage.kind === "offer"
          ? t("invitation.offer", { by: stage.offer.invitedBy, partner: stage.offer.partner })
          : null
      }
    >
      {stage.kind === "loading" ? <Loading /> : null}
      {stage.kind === "over" ? <OverText over={stage.over} /> : null}
      {stage.kind === "failed" ? (
        <>
          <FailureNotice
            failure={stage.failure}
            title={t("invitation.failed.title")}
            unreachable={t("invitation.failed.noAnswer")}
          />
          <Button onClick={() => void reload()}>{t("common.tryAgain")}</Button>
        </>
      ) : null}
      {stage.kind === "accepted" ? (
        <>
          <Notice tone="ok" role="status">
            {t("invitation.accepted.text", { email: stage.email })}
          </Notice>
          <ButtonLink href="/sign-in" variant="primary" size="lg">
            {t("invitation.accepted.signIn")}
          </ButtonLink>
        </>
      ) : null}
      {stage.kind === "offer" ? (
        <>
          <OfferFacts offer={stage.offer} />
          <NextStep
            offer={stage.offer}
            provider={provider}
            onAccept={accept}
            onSignedOut={() => void reload()}
          />
        </>
      ) : null}
    </BareCard>
  );
}

function useTitle(stage: Stage) {
  const t = useTranslations("invitation");
  switch (stage.kind) {
    case "offer":
      return t("heading", { partner: stage.offer.partner });
    case "over":
      return t(`over.${stage.over}.title`);
    case "accepted":
      return t("accepted.title", { partner: stage.partner });
    default:
      return t("title");
  }
}

type NextStepProps = {
  offer: OpenOffer;
  provider: string | null;
  onAccept: ReturnType<typeof useInvitation>["accept"];
  onSignedOut: () => void;
};

/** The next step depends on who is signed in. */
function NextStep({ offer, provider, onAccept, onSignedOut }: NextStepProps) {
  const t = useTranslations("invitation.staff");
  switch (offer.you) {
    case "signed_out":
      return (
        <>
          <NewPerson offer={offer} provider={provider} onAccept={onAccept} />
          <SignInFirst />
        </>
      );
    case "invited":
      return <AcceptButton onAccept={() => onAccept()} />;
    case "other":
      return <AnotherPerson email={offer.email} onSignedOut={onSignedOut} />;
    case "staff":
      return (
        <Notice tone="warn" title={t("title")}>
          {t("text")}
        </Notice>
      );
  }
}

function OverText({ over }: { over: Over }) {
  const t = useTranslations("invitation.over");
  return (
    <>
      <p className="text-pretty text-ink-2">{t(`${over}.text`)}</p>
      <ButtonLink href="/">{over === "used" ? t("signIn") : t("home")}</ButtonLink>
    </>
  );
}

function Loading() {
  const t = useTranslations("invitation");
  return (
    <div className="flex flex-col gap-4">
      <p className="text-ink-2">{t("loading")}</p>
      <Skeleton className="h-24 w-full" />
      <Skeleton className="h-10 w-full" />
    </div>
  );
}

/** Who invites whom, to what, until when. */
function OfferFacts({ offer }: { offer: OpenOffer }) {
  const t = useTranslations();
  return (
    <dl className="grid gap-3 rounded-control bg-sunken px-4 py-3">
      <Fact name={t("invitation.for")}>{offer.email}</Fact>
      <Fact name={t("invitation.role")} hint={t(`team.roles.${offer.role}`)}>
        {t(`common.roles.${offer.role}`)}
      </Fact>
      <Fact name={t("invitation.expires")}>
        <AbsoluteTime at={offer.expiresAt} ahead />
      </Fact>
    </dl>
  );
}
