"use client";

import { FailureNotice } from "@/components/forms/failure-notice";
import { beyondFields, refusedAt } from "@/components/forms/use-field-error";
import { Button } from "@/components/ui/button";
import { ConfirmDialog } from "@/components/ui/confirm-dialog";
import { Field } from "@/components/forms/field";
import { Notice } from "@/components/ui/notice";
import { TextInput } from "@/components/forms/text-input";
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
import { useEffect, useRef, useState, type SubmitEvent } from "react";
import { AccountSection } from "./account-section";
import { PasskeyNotice, ProofFailure } from "./step-up-form";
import { useAccountChange } from "@/lib/account/client/use-account-change";
import { leaveFor, useApiMutation } from "@/lib/platform/http/client/use-api-mutation";

type PasskeysSectionProps = Pick<Account, "passkeys" | "passkeysWork" | "passkeyMissing">;

/** What signs the person in with a look or a touch, and proves again that it is they: added, listed, removed. */
export function PasskeysSection({ passkeys, passkeysWork, passkeyMissing }: PasskeysSectionProps) {
  const t = useTranslations("account.passkeys");
  const [doing, setDoing] = useState<"add" | { remove: AccountPasskey } | null>(null);
  const [done, setDone] = useState<"added" | "removed" | null>(null);
  const result = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (done) result.current?.focus();
  }, [done]);

  function end(how: typeof done) {
    setDoing(null);
    setDone(how);
  }

  function begin(next: typeof doing) {
    setDone(null);
    setDoing(next);
  }

  return (
    <AccountSection title={t("title")} text={t("text")}>
      <div role="status" className="-mt-4 not-empty:mt-0">
        {done ? (
          <Notice ref={result} tabIndex={-1} tone="ok" className="outline-none">
            {t(`done.${done}`)}
          </Notice>
        ) : null}
      </div>
      {passkeysWork ? null : <Notice tone="info">{t("ipAddress")}</Notice>}
      {passkeyMissing === "use" ? <UsePasskey /> : null}
      {passkeys.length > 0 ? (
        <ul
          aria-label={t("title")}
          className="flex flex-col divide-y divide-line rounded-card border border-line"
        >
          {passkeys.map((passkey) => (
            <PasskeyLine
              key={passkey.id}
              passkey={passkey}
              onRemove={passkeyMissing ? null : () => begin({ remove: passkey })}
            />
          ))}
        </ul>
      ) : null}
      {doing === "add" ? (
        <AddPasskey onDone={() => end("added")} onCancel={() => end(null)} />
      ) : null}
      {doing !== "add" && passkeysWork && passkeyMissing !== "use" ? (
        <Button
          variant={passkeyMissing ? "primary" : "secondary"}
          className="self-start"
          onClick={() => begin("add")}
        >
          {t("add")}
        </Button>
      ) : null}
      {doing !== null && doing !== "add" ? (
        <RemovePasskey
          passkey={doing.remove}
          onDone={() => end("removed")}
          onCancel={() => end(null)}
        />
      ) : null}
    </AccountSection>
  );
}

function PasskeyLine({
  passkey: { name, createdAt, lastUsedAt },
  onRemove,
}: {
  passkey: AccountPasskey;
  onRemove: (() => void) | null;
}) {
  const t = useTranslations("account.passkeys");
  return (
    <li className="flex flex-wrap items-start gap-3 px-4 py-3">
      <Fingerprint aria-hidden className="mt-0.5 size-4 shrink-0 text-ink-2" />
      <div className="min-w-0 flex-1">
        <p className="font-medium [overflow-wrap:anywhere]">{name}</p>
        <p className="flex flex-wrap gap-x-4 text-small text-ink-2">
          <span>{t.rich("created", { time: () => <AbsoluteTime at={createdAt} /> })}</span>
          <span>
            {lastUsedAt
              ? t.rich("lastUsed", { time: () => <RelativeTime at={lastUsedAt} /> })
              : t("neverUsed")}
          </span>
        </p>
      </div>
      {onRemove ? (
        <Button size="sm" aria-label={t("removeNamed", { name })} onClick={onRemove}>
          {t("remove")}
        </Button>
      ) : null}
    </li>
  );
}

type StepProps = { onDone: () => void; onCancel: () => void };

/** A name for it, then the browser's own dialog. */
function AddPasskey({ onDone, onCancel }: StepProps) {
  const t = useTranslations();
  const input = useRef<HTMLInputElement>(null);
  const begin = useAccountChange(begunPasskeySchema);
  const add = useAccountChange(doneSchema);
  const [missing, setMissing] = useState(false);
  const make = useApiMutation(makePasskey);
  const pending = begin.pending || make.pending || add.pending;
  useEffect(() => input.current?.focus(), []);

  async function submit(event: SubmitEvent) {
    event.preventDefault();
    const name = input.current?.value.trim() ?? "";
    setMissing(name === "");
    if (name === "" || pending) return input.current?.focus();
    add.reset();
    make.reset();
    const begun = await begin.send({ path: "passkeys", body: {} });
    if (begun?.kind !== "done") return;
    const made = await make.send(begun.result.options);
    if (made?.outcome !== "given") return;
    const body = { name, attestation: made.given };
    const added = await add.send({ path: "passkeys", method: "PUT", body });
    if (added?.kind === "done") onDone();
  }

  const code = refusedAt(add.failure, "name");
  return (
    <form
      method="post"
      noValidate
      onSubmit={(event) => void submit(event)}
      className="flex max-w-md flex-col gap-4"
    >
      <FailureNotice
        failure={beyondFields(begin.failure ?? add.failure, ["name"])}
        unreachable={t("account.unreachable")}
      />
      {make.answer && make.answer.outcome !== "given" ? (
        <PasskeyNotice why={make.answer.outcome} />
      ) : null}
      <Field
        label={t("account.passkeys.name")}
        hint={t("account.passkeys.nameHint")}
        error={
          missing
            ? t("account.passkeys.nameMissing")
            : code && t("account.passkeys.nameRefused", { code })
        }
      >
        {(control) => (
          <TextInput {...control} ref={input} name="name" maxLength={60} autoComplete="off" />
        )}
      </Field>
      <div className="flex flex-wrap gap-2">
        <Button type="submit" variant="primary" pending={pending}>
          {t("account.passkeys.make")}
        </Button>
        <Button onClick={onCancel}>{t("common.cancel")}</Button>
      </div>
    </form>
  );
}

function RemovePasskey({ passkey, onDone, onCancel }: StepProps & { passkey: AccountPasskey }) {
  const t = useTranslations();
  const { pending, failure, send } = useAccountChange(doneSchema);

  async function remove() {
    const body = { passkey: passkey.id };
    const removed = await send({ path: "passkeys", method: "DELETE", body });
    if (removed?.kind === "done") onDone();
  }

  return (
    <ConfirmDialog
      open
      tone="danger"
      title={t("account.passkeys.confirm.title", { name: passkey.name })}
      confirmLabel={t("account.passkeys.confirm.confirm")}
      cancelLabel={t("common.cancel")}
      pending={pending}
      onConfirm={() => void remove()}
      onCancel={onCancel}
    >
      <div className="flex flex-col gap-3">
        <FailureNotice failure={failure} unreachable={t("account.unreachable")} />
        <p>{t("account.passkeys.confirm.text")}</p>
      </div>
    </ConfirmDialog>
  );
}

/** Who has one, and signed in without it where it is required. */
function UsePasskey() {
  const t = useTranslations("shell.passkey");
  const { pending, answer, send } = useApiMutation(async () => {
    const proved = await proveWithPasskey();
    // From here on everything opens.
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
