import type { ClientProblem } from "@/lib/platform/http/client/fetch-json";
import { problemBody } from "@/lib/platform/http/model/problem";
import { messagesByLocale } from "@/lib/platform/i18n/model/messages";
import { NextIntlClientProvider } from "next-intl";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, it } from "vitest";
import { NotSavedNotice } from "./credentials-form";

const messages = messagesByLocale.en;

const lostNotice = (problem: ClientProblem | null) =>
  renderToStaticMarkup(
    <NextIntlClientProvider locale="en" timeZone="UTC" messages={messages}>
      <NotSavedNotice
        answer={{ kind: "lost", problem }}
        connection={{ clientId: null, publicAddress: null }}
        onSaveAnyway={null}
      />
    </NextIntlClientProvider>,
  );

it("says that no answer came only where none did; otherwise what Gancho answered", () => {
  const { lostText, lostNext } = messages.connection.notSaved;
  expect(lostNotice(null)).toContain(`${lostText} ${lostNext}`);
  const members = problemBody("internal_error", "q1");
  const answered = lostNotice({ ...members, members } as ClientProblem);
  for (const text of [messages.problems.internal_error.title, lostNext, "q1"])
    expect(answered).toContain(text);
  expect(answered).not.toContain(lostText);
});
