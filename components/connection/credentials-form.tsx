"use client";

import * as z from "zod/mini";
import { Sentences } from "@/components/ui/sentences";
import { ApprovalFields } from "@/components/approvals/approval-fields";
import { useHere } from "@/components/layout/here";
import { Button } from "@/components/ui/button";
import { ConfirmDialog } from "@/components/ui/confirm-dialog";
import { yieldsFocus } from "@/components/ui/focus-content";
import { TextField } from "@/components/forms/text-field";
import { noLogin } from "@/components/forms/text-input";
import { useApiForm } from "@/components/forms/use-api-form";
import { useFieldError } from "@/components/forms/use-field-error";
import type { Connection } from "@/lib/connection/model/connection";
import { type ConnectionRequest, connectionRequestSchema } from "@/lib/connection/model/request";
import { useReplace } from "@/lib/connection/client/use-connection";
import { plainLine } from "@/lib/platform/http/model/request-fields";
import { Plug } from "lucide-react";
import { useTranslations } from "next-intl";
import { useEffect, useState } from "react";
import { useFormState, useWatch } from "react-hook-form";
import { CredentialsCard } from "./credentials-card";
import { SecretField } from "./secret-field";
import { Notice } from "@/components/ui/notice";
import { FailureNotice, ProblemText } from "@/components/forms/failure-notice";
import type { ReplaceAnswer } from "@/lib/connection/client/answers";
import { Diagnosis } from "./diagnosis";
import type { Saved } from "./saved";

type CredentialsFormProps = {
  connection: Connection;
  /** The payment service rejected the credentials in use. */
  rejected: boolean;
  /** The field of a new secret is open from the start. */
  replaces: boolean;
  onSaved: (saved: Saved) => void;
};

/** Sets up or replaces the credentials. A failed attempt keeps the typed text. */
export function CredentialsForm(props: CredentialsFormProps) {
  const { connection, rejected, onSaved } = props;
  const t = useTranslations();
  const { partner, environmentName: environment } = useHere();
  const isFirst = connection.clientId === null;
  const [wantsReplacing, setReplacing] = useState(props.replaces);
  const asksSecret = isFirst || wantsReplacing;
  const [reason, setReason] = useState("");
  const [notSaved, setNotSaved] = useState<{ answer: NotSaved; sent: ConnectionRequest } | null>(
    null,
  );
  const [confirmsSaveAnyway, setConfirmsSaveAnyway] = useState(false);
  const replace = useReplace(connection.partner, connection.environment);
  const form = useApiForm({
    schema: z.pipe(
      z.transform((typed: Credentials) => requestOf(typed, connection, asksSecret)),
      connectionRequestSchema,
    ),
    values: credentialsOf(connection),
    errorOf: useFieldError("connection.fieldErrors"),
    // A field shows no error while the person first types in it.
    mode: "onTouched",
    mutation: {
      ...replace,
      send: (request) => {
        setNotSaved(null);
        return replace.send({ ...request, ...approvalOf(connection, reason) });
      },
    },
    onAnswer(answer, sent) {
      if (answer.kind === "saved" || answer.kind === "waiting") {
        start(answer.connection);
        setReason("");
        const { connection } = answer;
        if (answer.kind === "waiting") onSaved({ outcome: "waiting" });
        else if (connection.version === sent.version) onSaved({ outcome: "unchanged" });
        else onSaved({ outcome: "saved", connection, isFirst });
      } else if (answer.kind !== "fields") setNotSaved({ answer, sent });
    },
  });
  // Registered in screen order, because the first invalid field gets the focus.
  const inputs = {
    clientId: form.field("clientId"),
    clientSecret: form.field("clientSecret"),
  };
  const { control } = form;
  const typedId = useWatch({ control, name: "clientId" });
  const typedSecret = useWatch({ control, name: "clientSecret" });
  // A secret typed into a first setup is still shown and sent once somebody else has connected.
  const replacing = asksSecret || typedSecret !== "";
  const changed = replacing || typedId !== (connection.clientId ?? "");
  const { isDirty, defaultValues } = useFormState({ control });
  // Until something is typed, the form follows the connection: another admin's change is no edit of this person's.
  useEffect(() => {
    if (!isDirty && defaultValues?.clientId !== (connection.clientId ?? ""))
      form.reset(credentialsOf(connection));
  });

  function start(next: Connection) {
    form.reset(credentialsOf(next));
    setReplacing(false);
    setNotSaved(null);
  }

  async function saveAnyway() {
    if (notSaved) await form.send({ ...notSaved.sent, saveUnchecked: true });
    setConfirmsSaveAnyway(false);
  }

  // "Save anyway" resends the refused request, so it goes away once the fields differ from it.
  const isAsSent =
    notSaved?.sent.clientId === typedId &&
    notSaved.sent.clientSecret === (replacing ? typedSecret : undefined);

  return (
    <form
      method="post"
      noValidate
      // Enter in the only field submits even without a button.
      onSubmit={changed ? form.submit : (event) => event.preventDefault()}
    >
      <CredentialsCard
        connection={connection}
        actions={
          changed ? (
            <>
              {isFirst ? null : (
                <Button
                  ref={yieldsFocus}
                  onClick={() => start(connection)}
                  disabled={replace.pending}
                >
                  {t("connection.credentials.discard")}
                </Button>
              )}
              <Button ref={yieldsFocus} type="submit" variant="primary" pending={replace.pending}>
                {connection.fourEyes
                  ? t("approvals.credentials.form.submit")
                  : t(isFirst ? "connection.credentials.connect" : "connection.credentials.save")}
              </Button>
            </>
          ) : null
        }
      >
        {isFirst ? (
          <div className="flex items-start gap-3">
            <span className="inline-flex size-9 shrink-0 items-center justify-center rounded-full bg-warn-soft text-warn">
              <Plug aria-hidden className="size-4.5" />
            </span>
            <div className="flex min-w-0 flex-col gap-1">
              <p className="font-medium">{t("connection.credentials.none")}</p>
              <p className="text-pretty text-ink-2">
                <Sentences
                  of={[
                    t("connection.credentials.noneText", { partner: partner.name, environment }),
                    t("connection.credentials.noneElsewhere"),
                  ]}
                />
              </p>
            </div>
          </div>
        ) : null}
        <TextField
          mono
          label={t("connection.credentials.clientId")}
          hint={
            connection.clientId !== null && typedId !== connection.clientId ? (
              <span className="break-all">
                {t("connection.credentials.inUse", { clientId: connection.clientId })}
              </span>
            ) : null
          }
          {...inputs.clientId}
          {...(rejected && !changed ? { error: t("connection.credentials.rejected") } : {})}
          {...noLogin}
        />
        <SecretField
          set={!isFirst}
          rejected={rejected}
          replacing={replacing}
          onReplace={(next) => {
            setReplacing(next);
            form.resetField("clientSecret");
          }}
          input={inputs.clientSecret}
        />
        {changed && connection.fourEyes ? (
          <ApprovalFields
            namespace="approvals.credentials.form"
            replaced={connection.proposal ? [connection.proposal] : []}
            reason={reason}
            onReason={setReason}
            readOnly={replace.pending}
          />
        ) : changed ? (
          <p className="text-small text-ink-3">{t("connection.credentials.tried")}</p>
        ) : null}
        {notSaved ? (
          <NotSavedNotice
            answer={notSaved.answer}
            connection={connection}
            onSaveAnyway={isAsSent ? () => setConfirmsSaveAnyway(true) : null}
          />
        ) : null}
      </CredentialsCard>
      {confirmsSaveAnyway ? (
        <ConfirmDialog
          title={t("connection.notSaved.anywayTitle")}
          confirmLabel={t("connection.notSaved.anyway")}
          tone="danger"
          pending={replace.pending}
          onConfirm={() => void saveAnyway()}
          onClose={() => setConfirmsSaveAnyway(false)}
        >
          {t(`connection.notSaved.${connection.fourEyes ? "anywayWaits" : "anywayText"}`, {
            partner: partner.name,
            environment,
          })}
        </ConfirmDialog>
      ) : null}
    </form>
  );
}

/** What a request also contains if a second admin has to approve it. */
function approvalOf({ fourEyes, proposal }: Connection, typed: string) {
  const reason = plainLine(typed);
  return {
    ...(fourEyes && proposal ? { replaces: proposal.id } : {}),
    ...(fourEyes && reason !== "" ? { reason } : {}),
  };
}

/** The typed values. `clientSecret` is only sent if it is asked for or typed. */
type Credentials = { clientId: string; clientSecret: string };

function credentialsOf({ clientId }: Connection): Credentials {
  return { clientId: clientId ?? "", clientSecret: "" };
}

function requestOf(
  { clientId, clientSecret }: Credentials,
  { version }: Connection,
  asksSecret: boolean,
): ConnectionRequest {
  return { clientId, version, ...(asksSecret || clientSecret !== "" ? { clientSecret } : {}) };
}

/** The answers that need a notice: all but success and invalid fields. */
type NotSaved = Exclude<ReplaceAnswer, { kind: "saved" | "waiting" | "fields" }>;

type NotSavedNoticeProps = {
  answer: NotSaved;
  connection: Pick<Connection, "clientId" | "publicAddress">;
  /** Saves the credentials although they do not work; null if the fields have changed since. */
  onSaveAnyway: (() => void) | null;
};

export function NotSavedNotice({ answer, connection, onSaveAnyway }: NotSavedNoticeProps) {
  const t = useTranslations("connection.notSaved");
  switch (answer.kind) {
    case "not_working":
      return (
        <Notice
          tone="bad"
          role="alert"
          title={t("title")}
          actions={
            onSaveAnyway ? (
              <Button size="sm" onClick={onSaveAnyway}>
                {t("anyway")}
              </Button>
            ) : null
          }
        >
          <p className="mb-2">{t(connection.clientId === null ? "staysNone" : "stays")}</p>
          <Diagnosis
            // The line above already says that nothing was changed.
            problem={{ ...answer.problem, applied: undefined }}
            publicAddress={connection.publicAddress}
          />
        </Notice>
      );
    case "refused":
      return <FailureNotice failure={answer.failure} title={t("refused")} />;
    case "lost":
      return (
        <Notice tone="warn" role="alert" title={t("lost")}>
          {answer.problem ? (
            <ProblemText problem={{ ...answer.problem, applied: undefined }} next={t("lostNext")} />
          ) : (
            <p>{`${t("lostText")} ${t("lostNext")}`}</p>
          )}
        </Notice>
      );
    default:
      return (
        <Notice tone="warn" role="alert" title={t(answer.kind)}>
          {t(`${answer.kind}Text`)}
        </Notice>
      );
  }
}
