"use client";

import { useHere } from "@/components/layout/here";
import { useIsProduction } from "@/components/layout/nav/environment-badge";
import type { FieldCode } from "@/lib/platform/http/model/field-errors";
import { plainLine } from "@/lib/platform/http/model/request-fields";
import type { Configuration } from "@/lib/webhooks/model/configuration";
import {
  asksTheSame,
  type Draft,
  draftFields,
  mayRemove,
  effectiveDraft,
  openedAddress,
  openingDraft,
  questionAbout,
  toSaveRequest,
} from "@/lib/webhooks/model/draft";
import { useSecretInPlace } from "@/lib/webhooks/client/new-secret";
import { keepBlockedReason } from "@/lib/webhooks/model/keeping";
import { needsApproval, pendingProposals } from "@/lib/webhooks/model/proposals/needs-approval";
import type { TargetPolicy } from "@/lib/webhooks/model/rules/callback-target";
import { type SaveRequest, saveRequestSchema } from "@/lib/webhooks/model/rules/save-request";
import type { SheetAddress } from "@/lib/webhooks/model/sheet-address";
import type { Source } from "@/lib/webhooks/model/source";
import type { AppliesTo, WebhookType } from "@/lib/platform/payment-service/contract/terms";
import { useState, type SubmitEvent } from "react";
import type { Ended } from "./saved-notice";
import { useSheetSave } from "./use-sheet-save";
import { zodResolver } from "@hookform/resolvers/zod";
import { get, useForm, useWatch } from "react-hook-form";
import * as z from "zod/mini";

type WebhookSheetInput = {
  address: SheetAddress;
  /** The versions that the sheet's URL names and the page does not have. */
  source: Source | null;
  configuration: Configuration;
  isAdmin: boolean;
  policy: TargetPolicy;
  onDone: (done: Ended) => void;
  onClose: () => void;
};

/** A sheet's state and behaviour, without its markup. */
export function useWebhookSheet(input: WebhookSheetInput) {
  const { source, configuration, isAdmin, policy, onDone, onClose } = input;
  const [address, setAddress] = useState(() => openedAddress(configuration, input.address));
  // A configuration that arrives after opening is a conflict; it never changes the draft silently.
  const [base, setBase] = useState(configuration);
  const fetched = source?.versions;
  const rules = { base, isAdmin, policy };
  const secret = useSecretInPlace(useHere().ref);
  const { form, draft } = useWebhookForm(openingDraft(base, address, fetched, secret), rules);
  const { dirtyFields } = form.formState;
  const [reason, setReason] = useState("");
  const asks = questionAbout(base, draft, useIsProduction(useHere().environment));
  const { authorization } = effectiveDraft(base, draft);
  const question = asks && JSON.stringify([asks, draft.type, authorization]);
  // The question that the person has seen. A changed draft raises a new one.
  const [shownQuestion, setShownQuestion] = useState<string | null>(null);
  const save = useSheetSave({
    base,
    latest: configuration,
    setBase,
    isStill: (sent) => asksTheSame(base, form.getValues(), sent),
    onDone,
    onClose,
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
      // From now on the form shows the confirmed choice, however the save ends.
      const { action } = authorization;
      if (action !== draft.authorization.action)
        form.setValue("authorization.action", action, { shouldDirty: true });
      return save.send({ request: forApproval(request), draft: effectiveDraft(base, draft) });
    },
    (errors) => focusFirst((name) => get(errors, name) !== undefined),
  );

  // The service may show an address that is not the last one: then Gancho asks for approval where the browser does not.
  const askedToWait =
    save.submitResult.kind === "refused" && save.submitResult.problem.code === "proposal_pending";
  const takesApproval = (request: Pick<SaveRequest, "type" | "url" | "authorization">) =>
    askedToWait || needsApproval(base, request);

  /** Adds the replaced proposals and the note, if the save will wait for a second person. */
  function forApproval(request: SaveRequest): SaveRequest {
    if (!takesApproval(request)) return request;
    const text = plainLine(reason);
    const replaces = pendingProposals(base, request.type).map(({ id }) => id);
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
    // The form library does not know the radios, so it cannot focus them.
    if (first === "authorization.action") focusAction();
    else if (first) form.setFocus(first);
  }

  /** During a conflict, only the choice between the two versions sends anything. */
  function submit(event: SubmitEvent) {
    event.preventDefault();
    if (save.submitResult.kind !== "conflict") void send(event);
  }

  /** Discards the draft: the sheet starts over from what is registered. */
  function takeTheirs() {
    const own = { mode: address.mode, type: draft.type };
    setAddress(own);
    form.reset(openingDraft(base, own));
    save.clear();
  }

  function saveRest(type: WebhookType) {
    const rest = { ...draft, type };
    form.setValue("type", type, { shouldDirty: true });
    const request = forApproval(toSaveRequest(rest, base.revision));
    return save.send({ request, draft: rest });
  }

  return {
    /** Which sheet it is: its mode, its types, and the source of the draft. */
    address,
    base,
    form,
    draft,
    /** What the sheet asks now; submitting again confirms it. */
    asked: shownQuestion === question ? asks : null,
    /** Why the value cannot be kept, as a field code from the browser or the server. */
    keepProblem:
      keepBlockedReason(base, draft, isAdmin) ??
      form.formState.errors.authorization?.action?.message,
    /** Null if the save needs no second person. */
    approval:
      draft.url.trim() !== "" && takesApproval(draft)
        ? { replaced: pendingProposals(base, draft.type), reason, onReason: setReason }
        : null,
    save,
    submit,
    changeType,
    /** Saves the same draft over the other person's newer version. */
    keepMine: () => void send(),
    takeTheirs,
    saveRest,
  };
}

type FieldName = (typeof draftFields)[number];

/** The field that shows an error at this path. Other paths cannot come from this form. */
function fieldAt(path: string): FieldName | undefined {
  return path === "authorization"
    ? "authorization.action"
    : draftFields.find((name) => name === path);
}

/** Focuses the chosen radio, which the person has to change. */
function focusAction() {
  const chosen = ["keep", "remove"].map(
    (value) => `[role="dialog"] input[value="${value}"]:checked`,
  );
  document.querySelector<HTMLInputElement>(chosen.join())?.focus();
}

type FormRules = {
  /** The configuration that the form compares with. */
  base: Configuration;
  isAdmin: boolean;
  policy: TargetPolicy;
};

/** The form of one sheet. It holds a draft, and is valid if the draft's request is. */
function useWebhookForm(opening: Draft, rules: FormRules) {
  const form = useForm({
    defaultValues: opening,
    resolver: zodResolver(draftSchema(rules)),
    // A field shows no error while the person first types in it.
    mode: "onTouched",
  });
  // A copy, because the form library mutates its own values in place and compares the results.
  const compute = (values: Draft) => structuredClone(values);
  const draft = useWatch({ control: form.control, compute });
  return { form, draft };
}

/** The route's own schema for the request, plus the one rule that depends on what is registered. */
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
