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
import { useInvitation, type OpenOffer, type Stage, type Refusal } from "./use-invitation";
import { AbsoluteTime } from "@/components/ui/time";
import { signOut, type SignInFailure } from "@/lib/platform/auth/client/auth-client";
import { useApiMutation } from "@/lib/platform/http/client/use-api-mutation";
import { LogIn, LogOut } from "lucide-react";
import { CheckedPasswordField, PasswordOwner } from "@/components/forms/password-field";
import { SecretForm } from "@/components/forms/secret-form";
import { TextField } from "@/components/forms/text-field";
import { useFieldError } from "@/components/forms/use-field-error";
import type { Accept } from "@/lib/team/model/requests";
import { FailureMessage } from "@/components/sign-in/failure-message";
import { SingleSignOn } from "@/components/sign-in/single-sign-on";
import { useState, type ComponentProps } from "react";

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

/** For a person who has an account: the link alone neither acts for that account nor reveals that it exists. */
function SignInFirst() {
  const t = useTranslations("invitation.known");
  return (
    <div className="flex flex-col gap-3 border-t border-line pt-5">
      <p className="text-pretty text-ink-2">{t("text")}</p>
      <ButtonLink href="/sign-in?callbackUrl=/invitation" size="lg" icon={<LogIn aria-hidden />}>
        {t("signIn")}
      </ButtonLink>
    </div>
  );
}

/** The signed-in person is the invited one. */
function AcceptButton({ onAccept }: { onAccept: () => Promise<Refusal | null> }) {
  const t = useTranslations("invitation.invited");
  const words = useTranslations("invitation.failed");
  const { pending, answer: refusal, send } = useApiMutation(onAccept);
  const failure = refusal?.kind === "fields" ? ({ kind: "no_answer" } as const) : refusal?.failure;

  return (
    <div className="flex flex-col gap-4">
      <p className="text-ink-2">{t("text")}</p>
      <FailureNotice
        failure={failure ?? null}
        title={words("title")}
        unreachable={words("noAnswer")}
      />
      <Button variant="primary" size="lg" pending={pending} onClick={() => void send()}>
        {t("submit")}
      </Button>
    </div>
  );
}

/** Signed in as somebody other than the invited person. */
function AnotherPerson({ email, onSignedOut }: { email: string; onSignedOut: () => void }) {
  const t = useTranslations("invitation");
  const { pending, answer: left, send } = useApiMutation(signOut);

  async function leave() {
    if (await send()) onSignedOut();
  }

  return (
    <div className="flex flex-col gap-4">
      <Notice tone="warn" title={t("other.title")}>
        {t("other.text", { email })}
      </Notice>
      {left === false ? (
        <Notice tone="bad" role="alert">
          {t("failed.signOut")}
        </Notice>
      ) : null}
      <Button
        size="lg"
        icon={<LogOut aria-hidden />}
        pending={pending}
        onClick={() => void leave()}
      >
        {t("other.signOut")}
      </Button>
    </div>
  );
}

type NewPersonFormProps = {
  offer: OpenOffer;
  onAccept: (person: NonNullable<Accept["person"]>) => Promise<Refusal | null>;
};

/** Name and password of somebody who has no account yet. */
function NewPersonForm({ offer, onAccept }: NewPersonFormProps) {
  const t = useTranslations("invitation");
  const errorOf = useFieldError("invitation.fieldErrors");
  const mutation = useApiMutation(onAccept);
  const { answer } = mutation;
  const codes = answer?.kind === "fields" ? answer.errors : [];
  const codeAt = (path: string) => codes.find((error) => error.path === path)?.code ?? null;
  const person = codeAt("person");
  return (
    <SecretForm
      fields={["name", "password"]}
      submit={{ label: t("new.submit"), size: "lg", className: "w-full" }}
      mutation={mutation}
      failed={{ title: t("failed.title"), unreachable: t("failed.noAnswer") }}
      refused={answer}
      refusedAt={(field) =>
        codeAt(`person.${field}`) ??
        (field === "password" && person !== "has_account" ? person : null)
      }
      onSend={(typed) => void mutation.send(typed)}
    >
      {(codeOf) => (
        <>
          <p className="text-ink-2">{t("new.text")}</p>
          {person === "has_account" ? (
            <Notice tone="warn" role="alert" title={t("known.hasAccount")}>
              {t("known.hasAccountNext")}
            </Notice>
          ) : null}
          <PasswordOwner email={offer.email} />
          <TextField
            required
            label={t("new.name")}
            hint={t("new.nameHint")}
            error={errorOf(codeOf("name"))}
            name="name"
            defaultValue={offer.name ?? ""}
            autoComplete="name"
            maxLength={100}
          />
          <CheckedPasswordField
            label={t("new.password")}
            autoComplete="new-password"
            code={codeOf("password")}
          />
        </>
      )}
    </SecretForm>
  );
}

type NewPersonProps = ComponentProps<typeof NewPersonForm> & { provider: string | null };

/** For somebody who has no account yet: their provider vouches for them, or they choose a password. */
function NewPerson({ provider, ...form }: NewPersonProps) {
  const [failure, setFailure] = useState<SignInFailure | null>(null);
  return (
    <>
      {failure ? <FailureMessage failure={failure} /> : null}
      {provider === null ? null : (
        <SingleSignOn
          name={provider}
          callbackPath="/invitation"
          askWho={false}
          onFailure={setFailure}
        />
      )}
      <NewPersonForm {...form} />
    </>
  );
}
