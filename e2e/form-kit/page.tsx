import { FailureNotice } from "@/components/forms/failure-notice";
import { SecretForm } from "@/components/forms/secret-form";
import { TextField } from "@/components/forms/text-field";
import { useApiForm } from "@/components/forms/use-api-form";
import { useFieldError } from "@/components/forms/use-field-error";
import { Button } from "@/components/ui/button";
import { emailField, nameField } from "@/lib/platform/http/model/request-fields";
import { sendJson } from "@/lib/platform/http/client/fetch-json";
import { useApiMutation } from "@/lib/platform/http/client/use-api-mutation";
import common from "@/lib/platform/i18n/messages/en/common.json";
import password from "@/lib/platform/i18n/messages/en/password.json";
import problems from "@/lib/platform/i18n/messages/en/problems.json";
import team from "@/lib/platform/i18n/messages/en/team.json";
import { QueryClient, QueryClientProvider, useQuery } from "@tanstack/react-query";
import { AppRouterContext } from "next/dist/shared/lib/app-router-context.shared-runtime";
import { NextIntlClientProvider } from "next-intl";
import { useState, type ContextType } from "react";
import { createRoot } from "react-dom/client";
import * as z from "zod/mini";

/*
 * The page of form-kit.spec.ts: a change, a form and a form of a password, as screens make them, and nothing of Gancho
 * behind them.
 */

const timeout = 5_000;
const client = new QueryClient();

export type Mutations = {
  /** All that mutations and queries hold, as text. */
  kept: () => string;
  /** How often the page was to be redrawn. */
  refreshed: () => number;
};

let refreshed = 0;
const nowhere = () => undefined;
const router: ContextType<typeof AppRouterContext> = {
  refresh: () => (refreshed += 1),
  back: nowhere,
  forward: nowhere,
  push: nowhere,
  replace: nowhere,
  prefetch: nowhere,
  bfcacheId: "",
};

Object.assign(window, {
  mutations: {
    kept: () =>
      JSON.stringify([
        client
          .getMutationCache()
          .getAll()
          .map((mutation) => mutation.state),
        client
          .getQueryCache()
          .getAll()
          .map((query) => query.state),
      ]),
    refreshed: () => refreshed,
  } satisfies Mutations,
});

function Change() {
  const { data } = useQuery({
    queryKey: ["thing"],
    queryFn: async () => (await fetch("/api/thing")).text(),
  });
  const [reported, setReported] = useState<string[]>([]);
  const { pending, answer, failure, send } = useApiMutation(
    (secret: string) =>
      sendJson("/api/thing", { body: { secret }, timeout, parse: () => "changed" }),
    { invalidates: ["thing"], refreshes: true },
  );
  async function change() {
    const sent = await send("hunter2");
    const read = client.getQueryData(["thing"]);
    setReported((before) => [
      ...before,
      sent === null ? "under way" : `${sent.kind} at ${String(read)}`,
    ]);
  }
  return (
    <section aria-label="Change">
      <output>{data}</output>
      <Button pending={pending} onClick={() => void change()}>
        Change
      </Button>
      <p>{answer ? answer.kind : "no answer yet"}</p>
      <FailureNotice failure={failure} unreachable="Gancho could not be reached." />
      <ol aria-label="Told">
        {reported.map((line, index) => (
          <li key={index}>{line}</li>
        ))}
      </ol>
    </section>
  );
}

const schema = z.strictObject({ name: nameField(20), email: emailField });

function Form() {
  const [done, setDone] = useState<string | null>(null);
  const form = useApiForm({
    schema,
    values: { name: "", email: "" },
    errorOf: useFieldError("team.fieldErrors"),
    mutation: useApiMutation((body: z.infer<typeof schema>) =>
      sendJson("/api/people", { body, timeout, parse: () => body.email }),
    ),
    onDone: setDone,
  });
  return (
    <form aria-label="Invite" noValidate onSubmit={form.submit}>
      <FailureNotice failure={form.failure} unreachable="Gancho could not be reached." />
      <TextField label="Name" {...form.field("name")} />
      <TextField label="Email" {...form.field("email")} />
      <Button type="submit" pending={form.pending}>
        Invite
      </Button>
      {done ? <p>Invited {done}</p> : null}
    </form>
  );
}

function Secret() {
  const errorOf = useFieldError("password.errors");
  const mutation = useApiMutation((body: { email: string; password: string }) =>
    sendJson("/api/password", { body, timeout, parse: () => true }),
  );
  return (
    <section aria-label="Password">
      <SecretForm
        fields={["email", "password"]}
        submit={{ label: "Save" }}
        mutation={mutation}
        failed={{ unreachable: "Gancho could not be reached." }}
        retype="password"
        onSend={(typed) => void mutation.send(typed)}
      >
        {(codeOf) => (
          <>
            <TextField label="Your email" error={errorOf(codeOf("email"))} name="email" />
            <TextField
              label="Your password"
              error={errorOf(codeOf("password"))}
              name="password"
              type="password"
            />
          </>
        )}
      </SecretForm>
    </section>
  );
}

function Page() {
  return (
    <AppRouterContext value={router}>
      <NextIntlClientProvider
        locale="en"
        timeZone="UTC"
        messages={{ common, password, problems, team }}
      >
        <QueryClientProvider client={client}>
          <Change />
          <Form />
          <Secret />
        </QueryClientProvider>
      </NextIntlClientProvider>
    </AppRouterContext>
  );
}

const root = document.createElement("div");
document.body.append(root);
createRoot(root).render(<Page />);
