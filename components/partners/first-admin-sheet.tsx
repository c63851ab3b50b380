"use client";

import { Button } from "@/components/ui/button";
import { CopyField } from "@/components/forms/copy-field";
import { Field } from "@/components/forms/field";
import { Notice } from "@/components/ui/notice";
import { Sheet } from "@/components/ui/sheet";
import { TextInput } from "@/components/forms/text-input";
import { fieldErrors } from "@/lib/platform/http/model/field-errors";
import { fetchJson, type Failure } from "@/lib/platform/http/client/fetch-json";
import { firstAdminSchema } from "@/lib/team/model/requests";
import { invitedSchema, type Invited } from "@/lib/team/model/team";
import { useTranslations } from "next-intl";
import { useRef, useState } from "react";
import { PartnerSheet } from "./partner-sheet";
import { refusedField } from "./use-change-partner";
import { useFieldError } from "./use-field-error";

type FirstAdminSheetProps = { partner: { id: string; name: string }; onClose: () => void };

/** Sending the mail included, milliseconds. */
const timeout = 25_000;

/** Asks for whom, then shows the link: once made it stays until the sheet is closed on purpose. */
export function FirstAdminSheet({ partner, onClose }: FirstAdminSheetProps) {
  const t = useTranslations("partners.firstAdmin");
  const fieldError = useFieldError();
  const [email, setEmail] = useState("");
  const [refused, setRefused] = useState<string | undefined>();
  const [pending, setPending] = useState(false);
  const [failure, setFailure] = useState<Failure | null>(null);
  const [invited, setInvited] = useState<Invited | null>(null);
  const input = useRef<HTMLInputElement>(null);

  async function submit() {
    setFailure(null);
    const parsed = firstAdminSchema.safeParse({ email });
    setRefused(parsed.success ? undefined : fieldErrors(parsed.error.issues)[0]?.code);
    if (parsed.success) {
      setPending(true);
      const path = `/api/partners/${partner.id}/first-admin`;
      const answer = await fetchJson(path, { body: parsed.data, timeout });
      setPending(false);
      const made = answer.kind === "ok" ? invitedSchema.safeParse(answer.body).data : undefined;
      if (made) {
        setInvited(made);
        return;
      }
      setFailure(answer.kind === "problem" ? answer : { kind: "no_answer" });
    }
    input.current?.focus();
  }

  if (invited) return <LinkSheet invited={invited} onClose={onClose} />;
  return (
    <PartnerSheet
      title={t("title", { partner: partner.name })}
      description={t("description")}
      submit={t("submit")}
      pending={pending}
      failure={failure}
      onSubmit={() => void submit()}
      onClose={onClose}
    >
      <Field label={t("email")} error={fieldError(refused ?? refusedField(failure, "email"))}>
        {(control) => (
          <TextInput
            {...control}
            ref={input}
            type="email"
            value={email}
            onChange={(event) => setEmail(event.target.value)}
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
            required
          />
        )}
      </Field>
    </PartnerSheet>
  );
}

function LinkSheet({ invited, onClose }: { invited: Invited; onClose: () => void }) {
  const t = useTranslations();
  const { link, mail } = invited;
  const { email } = invited.invitation;
  return (
    <Sheet
      open
      title={t(`partners.firstAdmin.${link === null ? "mailedTitle" : "linkTitle"}`, { email })}
      {...(link !== null && { description: t("partners.firstAdmin.linkText") })}
      closeLabel={t("common.close")}
      onCloseRequest={onClose}
      footer={<Button onClick={onClose}>{t("partners.firstAdmin.done")}</Button>}
    >
      {link === null ? (
        <Notice tone={mail === "sent" ? "ok" : "bad"} role={mail === "sent" ? "status" : "alert"}>
          {t(`partners.firstAdmin.${mail === "sent" ? "mailed" : "mailFailed"}`, { email })}
        </Notice>
      ) : (
        <CopyField
          label={t("partners.firstAdmin.label")}
          text={link}
          copyLabel={t("partners.firstAdmin.copy")}
          copiedLabel={t("common.copied")}
          failedLabel={t("common.copyFailed")}
        />
      )}
    </Sheet>
  );
}
