"use client";

import { Fact } from "@/components/ui/fact";
import { FailureNotice } from "@/components/forms/failure-notice";
import { Button } from "@/components/ui/button";
import { ButtonLink } from "@/components/ui/button-link";
import { useBrand } from "@/components/layout/brand";
import { BareCard } from "@/components/layout/bare-frame";
import { Notice } from "@/components/ui/notice";
import { Skeleton } from "@/components/ui/skeleton";
import { useTranslations } from "next-intl";
import { AbsoluteTime } from "@/components/ui/time";
import {
  signOut,
  type SignInFailure,
  signInWithPassword,
} from "@/lib/platform/auth/client/auth-client";
import { useApiMutation, leaveFor } from "@/lib/platform/http/client/use-api-mutation";
import { LogIn, LogOut } from "lucide-react";
import { CheckedPasswordField } from "@/components/forms/checked-password-field";
import { UsernameField } from "@/components/forms/password-field";
import { SecretForm } from "@/components/forms/secret-form";
import { TextField } from "@/components/forms/text-field";
import { refusedAt, useFieldError } from "@/components/forms/use-field-error";
import type { Accept } from "@/lib/team/model/requests";
import { FailureMessage } from "@/components/sign-in/failure-message";
import { SingleSignOn } from "@/components/sign-in/single-sign-on";
import { useState, type ComponentProps } from "react";
import { useLinkToken } from "@/components/layout/use-link-token";
import type { FieldCode } from "@/lib/platform/http/model/field-errors";
import type { RequestFailure } from "@/lib/platform/http/client/fetch-json";
import { acceptInvitation, previewInvitation, type Over } from "@/lib/team/client/invitation";
import type { Offer } from "@/lib/team/model/team";

const signInPath = "/sign-in?callbackUrl=/invitation";

/** Takes a person from an invitation to the partner's page. `provider`: the identity provider's name, or null. */
export function InvitationScreen({ provider }: { provider: string | null }) {
  const t = useTranslations();
  const { name: product } = useBrand();
  const { stage, reload, accept } = useInvitation();
  switch (stage.kind) {
    case "loading":
      return (
        <BareCard title={t("invitation.title")}>
          <div className="flex flex-col gap-4">
            <p className="text-ink-2">{t("invitation.loading")}</p>
            <Skeleton className="h-24 w-full" />
            <Skeleton className="h-10 w-full" />
          </div>
        </BareCard>
      );
    case "over":
      return (
        <BareCard title={t(`invitation.over.${stage.over}.title`)}>
          <p className="text-pretty text-ink-2">{t(`invitation.over.${stage.over}.text`)}</p>
          <ButtonLink href="/">
            {t(`invitation.over.${stage.over === "used" ? "signIn" : "home"}`)}
          </ButtonLink>
        </BareCard>
      );
    case "failed":
      return (
        <BareCard title={t("invitation.title")}>
          <FailureNotice failure={stage.failure} unreachable={t("invitation.failed.noAnswer")} />
          <Button onClick={() => void reload()}>{t("common.tryAgain")}</Button>
        </BareCard>
      );
    case "accepted":
      return (
        <BareCard title={t("invitation.accepted.title", { partner: stage.partner })}>
          <Notice tone="ok" role="status">
            {t("invitation.accepted.text", { email: stage.email })}
          </Notice>
          <ButtonLink href="/sign-in" variant="primary" size="lg">
            {t("invitation.accepted.signIn")}
          </ButtonLink>
        </BareCard>
      );
    case "offer": {
      const { invitedBy: by, partner } = stage.offer;
      return (
        <BareCard
          title={t("invitation.heading", { partner })}
          intro={
            by === null
              ? t("invitation.offerOfOperator", { partner, product })
              : t("invitation.offer", { by, partner, product })
          }
        >
          <OfferFacts offer={stage.offer} />
          <NextStep
            offer={stage.offer}
            provider={provider}
            onAccept={accept}
            onSignedOut={() => void reload()}
          />
        </BareCard>
      );
    }
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
  const t = useTranslations("invitation");
  switch (offer.you) {
    case "signed_out":
      return (
        <>
          <NewPerson offer={offer} provider={provider} onAccept={onAccept} />
          {/* The link alone signs nobody in, and does not reveal whether an account exists. */}
          <div className="flex flex-col gap-3 border-t border-line pt-5">
            <p className="text-pretty text-ink-2">{t("known.text")}</p>
            <ButtonLink href={signInPath} size="lg" icon={<LogIn aria-hidden />}>
              {t("known.signIn")}
            </ButtonLink>
          </div>
        </>
      );
    case "invited":
      return <AcceptButton onAccept={() => onAccept()} />;
    case "other":
      return <OtherPersonNotice email={offer.email} onSignedOut={onSignedOut} />;
    case "staff":
      return (
        <Notice tone="warn" title={t("staff.title")}>
          {t("staff.text")}
        </Notice>
      );
  }
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

/** For the invited person, signed in. */
function AcceptButton({ onAccept }: { onAccept: () => Promise<Refusal | null> }) {
  const t = useTranslations("invitation");
  const { pending, failure, send } = useApiMutation(onAccept);

  return (
    <div className="flex flex-col gap-4">
      <p className="text-ink-2">{t("invited.text")}</p>
      <FailureNotice failure={failure} unreachable={t("failed.lost")} />
      <Button variant="primary" size="lg" pending={pending} onClick={() => void send()}>
        {t("invited.submit")}
      </Button>
    </div>
  );
}

/** For somebody signed in as another person. */
function OtherPersonNotice({ email, onSignedOut }: { email: string; onSignedOut: () => void }) {
  const t = useTranslations("invitation");
  const { pending, answer: left, send } = useApiMutation(async () => (await signOut()) !== null);

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

/** Asks for the name and password of a new account. */
function NewPersonForm({ offer, onAccept }: NewPersonFormProps) {
  const t = useTranslations("invitation");
  const errorOf = useFieldError("invitation.fieldErrors");
  const mutation = useApiMutation(onAccept);
  const { answer } = mutation;
  const codeAt = (path: string) => refusedAt(answer, path);
  const person = codeAt("person");
  return (
    <SecretForm
      fields={["name", "password"]}
      submit={{ label: t("new.submit"), size: "lg", className: "w-full" }}
      mutation={mutation}
      failed={{ unreachable: t("failed.lost") }}
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
          <UsernameField email={offer.email} />
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

/** For somebody without an account: single sign-on, or a new password. */
function NewPerson({ provider, ...form }: NewPersonProps) {
  const [failure, setFailure] = useState<SignInFailure | null>(null);
  return (
    <>
      {failure ? <FailureMessage failure={failure} /> : null}
      {provider === null ? null : (
        <SingleSignOn
          name={provider}
          callbackPath="/invitation"
          selectsAccount={false}
          onFailure={setFailure}
        />
      )}
      <NewPersonForm {...form} />
    </>
  );
}

type OpenOffer = Extract<Offer, { state: "open" }>;

type InvitationState =
  | { kind: "loading" }
  | { kind: "offer"; offer: OpenOffer }
  | { kind: "over"; over: Over }
  /** Reading the invitation failed. */
  | { kind: "failed"; failure: RequestFailure }
  /** Accepted and the account created, but signing in failed. */
  | { kind: "accepted"; partner: string; email: string };

/** Why accepting failed, if the stage stays the same. */
type Refusal =
  | { kind: "fields"; errors: { path: string; code: FieldCode }[] }
  | { kind: "failed"; failure: RequestFailure };

/** The state of one invitation, from its link to the partner's page. */
function useInvitation() {
  const [stage, setStage] = useState<InvitationState>({ kind: "loading" });
  const link = useLinkToken("gancho.invitation", async (token) =>
    setStage(await previewInvitation(token)),
  );

  /** Resolves to the refusal, or to null once the stage has changed or the browser leaves for the partner's page. */
  async function accept(person?: Accept["person"]): Promise<Refusal | null> {
    const token = link.token();
    const shown = stage.kind === "offer" && { id: stage.offer.id };
    const which = token ? { token } : shown;
    const answer = await acceptInvitation({ ...which, ...(person && { person }) });
    const isUnknown = answer.kind === "over" && answer.over === "unknown";
    // Only without a session does it take a person, or find nothing without a token.
    if (!person && (answer.kind === "fields" || (isUnknown && !token))) return leaveFor(signInPath);
    switch (answer.kind) {
      case "accepted":
        link.forget();
        await enter(answer.accepted, person);
        return null;
      case "over":
        setStage(answer);
        return null;
      case "other_person":
        await link.read();
        return null;
      default:
        return answer;
    }
  }

  async function enter({ email, path }: { email: string; path: string }, person: Accept["person"]) {
    const signedIn = person ? await signInWithPassword({ email, password: person.password }) : null;
    if (signedIn && signedIn.outcome !== "signed_in") {
      const partner = stage.kind === "offer" ? stage.offer.partner : "";
      setStage({ kind: "accepted", partner, email });
    } else await leaveFor(path);
  }

  return { stage, reload: link.read, accept };
}
