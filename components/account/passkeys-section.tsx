"use client";

import { FailureNotice } from "@/components/forms/failure-notice";
import { Sentences } from "@/components/ui/sentences";
import { ResultNotice } from "@/components/forms/result-notice";
import { SecretForm } from "@/components/forms/secret-form";
import { refusedAt, useFieldError } from "@/components/forms/use-field-error";
import { Button } from "@/components/ui/button";
import { ConfirmDialog } from "@/components/ui/confirm-dialog";
import { yieldsFocus } from "@/components/ui/focus-content";
import { Notice } from "@/components/ui/notice";
import { TextField } from "@/components/forms/text-field";
import { AbsoluteTime, RelativeTime } from "@/components/ui/time";
import {
  begunPasskeySchema,
  doneSchema,
  type Account,
  type AccountPasskey,
} from "@/lib/account/model/account";
import { proveWithPasskey } from "@/lib/account/client/prove";
import { makePasskey } from "@/lib/platform/auth/client/passkey-client";
import { Fingerprint } from "lucide-react";
import { useTranslations } from "next-intl";
import { useState } from "react";
import { Section } from "@/components/ui/section";
import { AccountLine } from "./account-line";
import { CodeField } from "./code-field";
import { PasskeyNotice, ProofFailure } from "./step-up-dialog";
import { changeAccount, useAccountChange } from "@/lib/account/client/use-account-change";
import { leaveFor, useApiMutation } from "@/lib/platform/http/client/use-api-mutation";

type PasskeysSectionProps = Pick<
  Account,
  "passkeys" | "passkeysWork" | "passkeyMissing" | "codes"
> & {
  /** Whether they sign people in, or only confirm who a signed-in person is. */
  use: "signIn" | "confirm";
};

/** The person's passkeys: add, list, remove. */
export function PasskeysSection(props: PasskeysSectionProps) {
  const { passkeys, passkeysWork, passkeyMissing, codes, use } = props;
  const t = useTranslations("account.passkeys");
  const [action, setAction] = useState<"add" | { remove: AccountPasskey } | null>(null);
  const [done, setDone] = useState<"added" | "removed" | null>(null);

  function end(how: typeof done) {
    setAction(null);
    setDone(how);
  }

  function begin(next: typeof action) {
    setDone(null);
    setAction(next);
  }

  return (
    <Section
      screenOnly={passkeys.length === 0}
      anchor="passkeys"
      title={t("title")}
      text={t("text", { use })}
    >
      <ResultNotice
        takesFocus
        result={done && { tone: "ok", children: t(`done.${done}`, { use }) }}
      />
      {passkeysWork ? null : <Notice tone="info">{t("ipAddress")}</Notice>}
      {passkeyMissing === "use" ? <UsePasskey /> : null}
      {passkeys.length > 0 ? (
        <ul
          aria-label={t("title")}
          className="flex flex-col divide-y divide-line rounded-card border border-line"
        >
          {passkeys.map((passkey) => (
            <AccountLine
              key={passkey.id}
              icon={Fingerprint}
              title={passkey.name}
              facts={
                <>
                  <span>
                    <Sentences
                      of={[
                        t.rich("created", { time: () => <AbsoluteTime at={passkey.createdAt} /> }),
                      ]}
                    />
                  </span>
                  <span>
                    <Sentences
                      of={[
                        t.rich(passkey.lastUsedAt ? "lastUsed" : "neverUsed", {
                          time: () => <RelativeTime at={passkey.lastUsedAt ?? ""} />,
                        }),
                      ]}
                    />
                  </span>
                </>
              }
            >
              {passkeyMissing ? null : (
                <Button
                  ref={yieldsFocus}
                  size="sm"
                  aria-label={t("removeNamed", { name: passkey.name })}
                  onClick={() => begin({ remove: passkey })}
                >
                  {t("remove")}
                </Button>
              )}
            </AccountLine>
          ))}
        </ul>
      ) : null}
      {action === "add" ? (
        <AddPasskey
          // A person with another passkey may prove their identity with that; if not, the server asks for a code.
          takesCode={codes !== null && passkeys.length === 0}
          onDone={() => end("added")}
          onCancel={() => end(null)}
        />
      ) : null}
      {action !== "add" && passkeysWork && passkeyMissing !== "use" ? (
        <Button
          variant={passkeyMissing ? "primary" : "secondary"}
          className="self-start"
          onClick={() => begin("add")}
        >
          {t("add")}
        </Button>
      ) : null}
      {action !== null && action !== "add" ? (
        <RemovePasskey
          passkey={action.remove}
          use={use}
          onDone={() => end("removed")}
          onCancel={() => end(null)}
        />
      ) : null}
    </Section>
  );
}

type StepProps = { onDone: () => void; onCancel: () => void };

/** Asks for a name, and for a one-time code if those are on; then the browser's own dialog opens. */
function AddPasskey({ takesCode, onDone, onCancel }: StepProps & { takesCode: boolean }) {
  const t = useTranslations("account");
  const errorOf = useFieldError("account.passkeys.errors");
  const mutation = useApiMutation(addPasskey, { refreshes: true });
  const { answer, failure } = mutation;

  const [codeRequired, setCodeRequired] = useState(false);
  const asksCode = takesCode || codeRequired || refusedAt(failure, "code") !== null;
  const fields = asksCode ? (["name", "code"] as const) : (["name"] as const);

  async function add(typed: Typed) {
    const added = await mutation.send(typed);
    if (added?.kind === "done") onDone();
    else if (refusedAt(added ?? null, "code")) setCodeRequired(true);
  }

  return (
    <SecretForm
      fields={fields}
      submit={{ label: t("passkeys.make") }}
      mutation={mutation}
      onSend={(typed) => void add(typed)}
      onCancel={onCancel}
      className="max-w-md"
    >
      {(codeOf) => (
        <>
          {answer?.kind === "no_passkey" ? <PasskeyNotice why={answer.why} /> : null}
          <TextField
            label={t("passkeys.name")}
            hint={t("passkeys.nameHint")}
            error={errorOf(codeOf("name"))}
            name="name"
            maxLength={60}
          />
          {asksCode ? <CodeField letters label={t("codes.anyCode")} code={codeOf("code")} /> : null}
        </>
      )}
    </SecretForm>
  );
}

type Typed = { name: string; code?: string };

async function addPasskey({ name, code }: Typed) {
  const proof = code === undefined ? {} : { code };
  const begun = await changeAccount({ path: "passkeys", body: proof }, begunPasskeySchema);
  if (begun.kind !== "done") return begun;
  const made = await makePasskey(begun.result.options);
  if (made.outcome !== "given") return { kind: "no_passkey", why: made.outcome } as const;
  const body = { name: name.trim(), attestation: made.given };
  return changeAccount({ path: "passkeys", method: "PUT", body }, doneSchema);
}

type RemovePasskeyProps = StepProps &
  Pick<PasskeysSectionProps, "use"> & { passkey: AccountPasskey };

function RemovePasskey({ passkey, use, onDone, onCancel }: RemovePasskeyProps) {
  const t = useTranslations();
  const { pending, failure, send } = useAccountChange(doneSchema);

  async function remove() {
    const body = { passkey: passkey.id };
    const removed = await send({ path: "passkeys", method: "DELETE", body });
    if (removed?.kind === "done") onDone();
  }

  return (
    <ConfirmDialog
      tone="danger"
      title={t("account.passkeys.confirm.title", { name: passkey.name })}
      confirmLabel={t("account.passkeys.confirm.confirm")}
      pending={pending}
      onConfirm={() => void remove()}
      onClose={onCancel}
    >
      <div className="flex flex-col gap-3">
        <FailureNotice failure={failure} />
        <p>{t("account.passkeys.confirm.text", { use })}</p>
      </div>
    </ConfirmDialog>
  );
}

/** For a person who must sign in with their passkey and did not. */
function UsePasskey() {
  const t = useTranslations("shell.passkey");
  const { pending, answer, send } = useApiMutation(async () => {
    const proved = await proveWithPasskey();
    // From now on the person can open every page again.
    return proved.kind === "given" ? leaveFor("/") : proved;
  });

  return (
    <>
      {answer ? <ProofFailure answer={answer} /> : null}
      <Button
        variant="primary"
        icon={<Fingerprint aria-hidden />}
        pending={pending}
        className="self-start"
        onClick={() => void send()}
      >
        {t("use")}
      </Button>
    </>
  );
}
