"use client";

import { Button } from "@/components/ui/button";
import { Field } from "@/components/ui/field";
import { Notice } from "@/components/ui/notice";
import { TextInput } from "@/components/ui/text-input";
import type { Invited } from "@/lib/team/team";
import { Check, Copy } from "lucide-react";
import { useTranslations } from "next-intl";
import { useState } from "react";

/** The link, this once: nobody can read it back afterwards. */
export function InvitationLink({ invited: { invitation, link, mail } }: { invited: Invited }) {
  const t = useTranslations();
  const [state, setState] = useState<"idle" | "copied" | "failed">("idle");
  const { email } = invitation;

  async function copy() {
    try {
      await navigator.clipboard.writeText(link);
      setState("copied");
    } catch {
      setState("failed");
    }
  }

  const said = { idle: "", copied: t("common.copied"), failed: t("common.copyFailed") }[state];
  return (
    <div className="flex flex-col gap-5">
      <Notice tone="ok" role="status" title={t("team.link.title")}>
        {t(mail === "sent" ? "team.link.sent" : "team.link.once", { email })}
      </Notice>
      {mail === "failed" ? (
        <Notice tone="warn" role="alert">
          {t("team.link.failed", { email })}
        </Notice>
      ) : null}
      <Field label={t("team.link.label")} hint={said || null}>
        {(control) => (
          <div className="flex flex-wrap gap-2">
            <TextInput
              {...control}
              mono
              readOnly
              value={link}
              onFocus={(event) => event.target.select()}
              className="flex-1 basis-56"
            />
            <Button
              variant="primary"
              icon={state === "copied" ? <Check aria-hidden /> : <Copy aria-hidden />}
              onClick={() => void copy()}
            >
              {t("team.link.copy")}
            </Button>
          </div>
        )}
      </Field>
      <span aria-live="polite" className="sr-only">
        {said}
      </span>
    </div>
  );
}
