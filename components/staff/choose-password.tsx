"use client";

import { CheckedPasswordField } from "@/components/forms/checked-password-field";
import { UsernameField } from "@/components/forms/password-field";
import { FailureNotice } from "@/components/forms/failure-notice";
import { SecretForm } from "@/components/forms/secret-form";
import { Button } from "@/components/ui/button";
import { ButtonLink } from "@/components/ui/button-link";
import { BareCard } from "@/components/layout/bare-frame";
import { Notice } from "@/components/ui/notice";
import { Skeleton } from "@/components/ui/skeleton";
import { useApiMutation } from "@/lib/platform/http/client/use-api-mutation";
import {
  type PasswordLink,
  passwordChosenSchema,
  passwordLinkSchema,
} from "@/lib/staff/model/password-choice";
import { useTranslations } from "next-intl";
import { useLinkToken } from "@/components/layout/use-link-token";
import { type RequestFailure, sendJson } from "@/lib/platform/http/client/fetch-json";
import { useState } from "react";

/** Turns a one-time link into a password that only its owner knows. */
export function ChoosePassword() {
  const t = useTranslations();
  const { stage, reload, choose } = usePasswordLink();
  const title =
    stage.kind === "over"
      ? (`over.${stage.over}.title` as const)
      : stage.kind === "chosen"
        ? "chosen"
        : "title";
  return (
    <BareCard title={t(`installation.choose.${title}`)}>
      {stage.kind === "loading" ? (
        <div className="flex flex-col gap-4">
          <p className="text-ink-2">{t("installation.choose.loading")}</p>
          <Skeleton className="h-10 w-full" />
        </div>
      ) : null}
      {stage.kind === "failed" ? (
        <>
          <FailureNotice
            failure={stage.failure}
            unreachable={t("installation.choose.unreachable")}
          />
          <Button onClick={() => void reload()}>{t("common.tryAgain")}</Button>
        </>
      ) : null}
      {stage.kind === "over" ? (
        <p className="text-pretty text-ink-2">{t(`installation.choose.over.${stage.over}.text`)}</p>
      ) : null}
      {stage.kind === "chosen" ? (
        <Notice tone="ok" role="status">
          {t("installation.choose.chosenText", { email: stage.email })}
        </Notice>
      ) : null}
      {stage.kind === "open" ? <PasswordForm link={stage.link} onChoose={choose} /> : null}
      {stage.kind === "over" || stage.kind === "chosen" ? (
        <ButtonLink href="/sign-in" variant="primary" size="lg">
          {t("installation.choose.signIn")}
        </ButtonLink>
      ) : null}
    </BareCard>
  );
}

type PasswordFormProps = {
  link: PasswordLink;
  onChoose: ReturnType<typeof usePasswordLink>["choose"];
};

function PasswordForm({ link, onChoose }: PasswordFormProps) {
  const t = useTranslations("installation.choose");
  const { name, email } = link;
  const mutation = useApiMutation(onChoose);
  return (
    <SecretForm
      fields={["password"]}
      submit={{ label: t("submit"), size: "lg", className: "w-full" }}
      mutation={mutation}
      failed={{ unreachable: t("lost") }}
      onSend={({ password }) => void mutation.send(password)}
    >
      {(codeOf) => (
        <>
          <p className="text-pretty text-ink-2">{t("for", { name, email })}</p>
          <UsernameField email={email} />
          <CheckedPasswordField
            label={t("password")}
            autoComplete="new-password"
            code={codeOf("password")}
          />
        </>
      )}
    </SecretForm>
  );
}

type LinkOver = Exclude<PasswordLink["state"], "open"> | "unknown";

type LinkState =
  | { kind: "loading" }
  | { kind: "open"; link: PasswordLink }
  | { kind: "over"; over: LinkOver }
  /** Reading the link failed. */
  | { kind: "failed"; failure: RequestFailure }
  | { kind: "chosen"; email: string };

/** Milliseconds. */
const timeout = 20_000;

/** The state of one link, from reading it to the chosen password. */
function usePasswordLink() {
  const [stage, setStage] = useState<LinkState>({ kind: "loading" });
  const link = useLinkToken("gancho.password-link", async (token) =>
    setStage(token ? await readLink(token) : { kind: "over", over: "unknown" }),
  );

  /** Resolves to the refusal, or to null once the stage has changed. */
  async function choose(password: string) {
    const body = { token: link.token() ?? "", password };
    const chosen = await sendJson("/api/password-links/use", {
      body,
      timeout,
      parse: (answer) => passwordChosenSchema.safeParse(answer).data,
    });
    if (chosen.kind === "done") {
      link.forget();
      setStage({ kind: "chosen", email: chosen.result.email });
      return null;
    }
    const { failure } = chosen;
    if (failure.kind === "no_answer" || !isOver(failure.problem.code)) return chosen;
    await link.read();
    return null;
  }

  return { stage, reload: link.read, choose };
}

function isOver(code: string): boolean {
  return code === "invitation_over" || code === "not_found";
}

async function readLink(token: string): Promise<LinkState> {
  const answer = await sendJson("/api/password-links/look", {
    body: { token },
    timeout,
    parse: (body) => passwordLinkSchema.safeParse(body).data,
  });
  if (answer.kind === "done") {
    const link = answer.result;
    return link.state === "open" ? { kind: "open", link } : { kind: "over", over: link.state };
  }
  const { failure } = answer;
  const isUnknown = failure.kind === "problem" && failure.problem.code === "not_found";
  return isUnknown ? { kind: "over", over: "unknown" } : answer;
}
