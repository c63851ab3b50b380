"use client";

import type { FieldCode } from "@/lib/platform/http/model/field-errors";
import { plainLine } from "@/lib/platform/http/model/request-fields";
import type { Configuration } from "@/lib/webhooks/model/configuration";
import { registersWithoutValue } from "@/lib/webhooks/model/registers-without-value";
import {
  type Draft,
  draftFields,
  mayRemove,
  effectiveDraft,
  openingDraft,
  toSaveRequest,
} from "@/lib/webhooks/model/draft";
import { keepBlockedReason } from "@/lib/webhooks/model/keeping";
import { needsApproval, pendingProposals } from "@/lib/webhooks/model/proposals/needs-approval";
import type { TargetPolicy } from "@/lib/webhooks/model/rules/callback-target";
import { type SaveRequest, saveRequestSchema } from "@/lib/webhooks/model/rules/save-request";
import type { SheetAddress } from "@/lib/webhooks/model/sheet-address";
import type { Source } from "@/lib/webhooks/model/source";
import type { AppliesTo, WebhookType } from "@/lib/platform/payment-service/contract/terms";
import { useState, type SubmitEvent } from "react";
import type { Done } from "./saved-notice";
import { useSheetSave } from "./use-sheet-save";
import { zodResolver } from "@hookform/resolvers/zod";
import { get, useForm, useWatch } from "react-hook-form";
import * as z from "zod/mini";

type WebhookSheetInput = {
  address: SheetAddress;
  /** What the address names and the page does not have. */
  source: Source | null;
  configuration: Configuration;
  isAdmin: boolean;
  policy: TargetPolicy;
  onDone: (done: Done) => void;
};

/** A sheet's behaviour; the component decides how it looks. */
export function useWebhookSheet(input: WebhookSheetInput) {
  const { source, configuration, isAdmin, policy, onDone } = input;
  const [address, setAddress] = useState(input.address);
  // What arrives after opening is a conflict, and never changes the draft silently.
  const [base, setBase] = useState(configuration);
  const fetched = source?.versions;
  const rules = { base, isAdmin, policy };
  const { form, draft } = useWebhookForm(openingDraft(base, address, fetched), rules);
  const { dirtyFields } = form.formState;
  const [reason, setReason] = useState("");
  const withoutValue = registersWithoutValue(base, draft);
  const question = withoutValue ? JSON.stringify([draft.type, draft.authorization]) : null;
  // The question that the person has seen; a changed draft raises another.
  const [shownQuestion, setShownQuestion] = useState<string | null>(null);
  const save = useSheetSave({
    base,
    latest: configuration,
    setBase,
    onDone,
    onFields: showFieldErrors,
  });

  function changeType(type: AppliesTo) {
    form.setValue("type", type, { shouldDirty: true });
    const opening = openingDraft(base, { ...address, type }, fetched);
    if (!dirtyFields.url && opening.url) form.resetField("url", { defaultValue: opening.url });
    if (!dirtyFields.authorization?.action && draft.authorization.value === "") {
      const { action } = opening.authorization;
      form.resetField("authorization.action", { defaultValue: action });
    }
    if (draft.authorization.action === "remove" && !mayRemove(base, type)) {
      form.setValue("authorization.action", opening.authorization.action, { shouldDirty: true });
    }
    form.clearErrors("authorization");
  }

  const send = form.handleSubmit(
    (request) => {
      if (question !== null && shownQuestion !== question) return setShownQuestion(question);
      // From here on the form shows it too, however the save ends.
      if (withoutValue) form.setValue("authorization.action", "keep", { shouldDirty: true });
      return save.send({ request: forApproval(request, base), draft: effectiveDraft(base, draft) });
    },
    (errors) => focusFirst((name) => get(errors, name) !== undefined),
  );

  /** Where it will wait for a second person: what it replaces, and what that person should know. */
  function forApproval(request: SaveRequest, shown: Configuration): SaveRequest {
    if (!needsApproval(shown, request)) return request;
    const text = plainLine(reason);
    const replaces = pendingProposals(shown, request.type).map(({ id }) => id);
    return { ...request, replaces, ...(text !== "" && { reason: text }) };
  }

  function showFieldErrors(errors: { path: string; code: FieldCode }[]) {
    for (const { path, code } of errors) {
      const name = fieldAt(path);
      if (name) form.setError(name, { type: "server", message: code });
    }
    focusFirst((name) => errors.some(({ path }) => fieldAt(path) === name));
  }

  function focusFirst(isRefused: (name: FieldName) => boolean) {
    const first = draftFields.find(isRefused);
    // The radios are not the form library's to focus.
    if (first === "authorization.action") focusAction();
    else if (first) form.setFocus(first);
  }

  /** Where somebody else was quicker, only the choice between the two versions sends anything. */
  function submit(event: SubmitEvent) {
    event.preventDefault();
    if (save.submitResult.kind !== "conflict") void send(event);
  }

  /** From here on nothing comes from where the sheet began. */
  function takeTheirs() {
    const own = { mode: address.mode, type: draft.type };
    setAddress(own);
    form.reset(openingDraft(base, own));
    save.clear();
  }

  function saveRest(type: WebhookType) {
    const rest = { ...draft, type };
    form.setValue("type", type, { shouldDirty: true });
    const request = forApproval(toSaveRequest(rest, base.revision), base);
    return save.send({ request, draft: rest });
  }

  return {
    /** What the draft started from. */
    address,
    base,
    form,
    draft,
    /** The question on screen whether to register without a value: pressing the button again does. */
    asksWithoutValue: question !== null && shownQuestion === question,
    /** As a field code: ours, during typing, or the server's. */
    keepProblem:
      keepBlockedReason(base, draft, isAdmin) ??
      form.formState.errors.authorization?.action?.message,
    /** Null where saving takes no second person. */
    approval:
      draft.url.trim() !== "" && needsApproval(base, draft)
        ? { replaced: pendingProposals(base, draft.type), reason, onReason: setReason }
        : null,
    save,
    submit,
    changeType,
    /** The same draft, on top of somebody else's newer version. */
    keepMine: () => void send(),
    takeTheirs,
    saveRest,
  };
}

type FieldName = (typeof draftFields)[number];

/** Where to show a refused part of the request. Anything without a field here cannot come from this form. */
function fieldAt(path: string): FieldName | undefined {
  return path === "authorization"
    ? "authorization.action"
    : draftFields.find((name) => name === path);
}

/** The radio that is chosen and may not stay so. */
function focusAction() {
  const chosen = ["keep", "remove"].map(
    (value) => `[role="dialog"] input[value="${value}"]:checked`,
  );
  document.querySelector<HTMLInputElement>(chosen.join())?.focus();
}

type FormRules = {
  /** The configuration that the person sees. */
  base: Configuration;
  isAdmin: boolean;
  policy: TargetPolicy;
};

/** The form of one sheet: it holds a draft, and is valid when its request is. */
function useWebhookForm(opening: Draft, rules: FormRules) {
  const form = useForm({
    defaultValues: opening,
    resolver: zodResolver(draftSchema(rules)),
    // No error shows while somebody types for the first time.
    mode: "onTouched",
  });
  // A copy: the form library compares it with the one before, and changes its own in place.
  const compute = (values: Draft) => structuredClone(values);
  const draft = useWatch({ control: form.control, compute });
  return { form, draft };
}

/** The server's own schema on the request, and the one rule that depends on what is registered. */
function draftSchema({ base, isAdmin, policy }: FormRules) {
  return z
    .pipe(
      z.transform((draft: Draft) => toSaveRequest(effectiveDraft(base, draft), base.revision)),
      saveRequestSchema(policy),
    )
    .check(
      z.check((request) => {
        const code = keepBlockedReason(base, request.value, isAdmin);
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
