"use client";

import { Segmented } from "@/components/forms/choice";
import { snippets } from "@/lib/receiver-kit/model/snippets";
import { useTranslations } from "next-intl";
import { useState } from "react";
import { Code } from "./code";

/** A handler to start from, in the language that one chooses. `className`: of the box with the code. */
export function Handlers({ className }: { className?: string }) {
  const t = useTranslations("firstHour.handler");
  const [id, setId] = useState(snippets[0]?.id ?? "");
  const snippet = snippets.find((each) => each.id === id);
  return (
    <div className="flex min-w-0 flex-col gap-3">
      <Segmented
        label={t("choose")}
        value={id}
        onChange={setId}
        options={snippets.map(({ id, label }) => ({ value: id, label }))}
      />
      {snippet ? (
        <Code name={snippet.file} text={snippet.code} {...(className && { className })} />
      ) : null}
    </div>
  );
}
