"use client";

import type { Configuration } from "@/lib/webhooks/model/configuration";
import { meantDraft, openingDraft, toSaveRequest, type Draft } from "@/lib/webhooks/model/draft";
import { problemOfKeeping } from "@/lib/webhooks/model/keeping";
import type { TargetPolicy } from "@/lib/webhooks/model/rules/callback-target";
import { saveRequestSchema } from "@/lib/webhooks/model/rules/save-request";
import type { SheetAddress } from "@/lib/webhooks/model/sheet-address";
import { zodResolver } from "@hookform/resolvers/zod";
import { useForm, useWatch } from "react-hook-form";
import * as z from "zod/mini";

type FormRules = {
  /** What the person is looking at. */
  base: Configuration;
  isAdmin: boolean;
  policy: TargetPolicy;
};

/** The form of one sheet: it holds a draft, and is valid where the request that it would send is. */
export function useWebhookForm(address: SheetAddress, rules: FormRules) {
  const form = useForm({
    defaultValues: openingDraft(rules.base, address),
    resolver: zodResolver(draftSchema(rules)),
    // Nobody is corrected while still typing for the first time.
    mode: "onTouched",
  });
  const { control } = form;
  const draft: Draft = {
    type: useWatch({ control, name: "type" }),
    url: useWatch({ control, name: "url" }),
    authorization: {
      action: useWatch({ control, name: "authorization.action" }),
      value: useWatch({ control, name: "authorization.value" }),
    },
  };
  return { form, draft };
}

/** The server's own schema on what would be sent, and the one rule that depends on what is registered. */
function draftSchema({ base, isAdmin, policy }: FormRules) {
  return z
    .pipe(
      z.transform((draft: Draft) => toSaveRequest(meantDraft(base, draft), base.revision)),
      saveRequestSchema(policy),
    )
    .check(
      z.check((request) => {
        const code = problemOfKeeping(base, request.value, isAdmin);
        if (!code) return;
        request.issues.push({
          code: "custom",
          input: request.value,
          path: ["authorization", "action"],
          message: code,
        });
      }),
    );
}

export type WebhookForm = ReturnType<typeof useWebhookForm>["form"];
