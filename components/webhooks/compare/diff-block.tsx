"use client";

import {
  changedParts,
  sameAuthorization,
  type ShownVersion,
  shownVersionInHistory,
} from "@/lib/webhooks/model/compare";
import { useTranslations } from "next-intl";
import { Fragment, type ReactNode } from "react";
import { Address } from "./address";
import { useAuthorizationWords } from "./use-authorization-words";
import type { WebhookChange } from "@/lib/history/model/webhook-change";

type DiffBlockProps = {
  heading?: ReactNode;
  before: ShownVersion;
  after: ShownVersion;
  /** Leaves out fields that are the same on both sides. */
  brief?: boolean;
};

/** One type before and after, line by line. Long addresses wrap, and the part that differs stands out. */
export function DiffBlock({ heading, before, after, brief = false }: DiffBlockProps) {
  const words = useAuthorizationWords();
  const [urlBefore, urlAfter] = changedParts(before?.url ?? "", after?.url ?? "");
  const unset = { kind: "unset" } as const;
  const [authorizationBefore, authorizationAfter] = [
    before?.authorization ?? unset,
    after?.authorization ?? unset,
  ];
  /** A side is null if nothing is registered. */
  const rows = [
    {
      field: "url",
      isSame: before?.url === after?.url,
      warns: false,
      hidesSame: brief,
      before: before && <Address coloured url={before.url} part={after && urlBefore} />,
      after: after && <Address coloured url={after.url} part={before && urlAfter} />,
    },
    {
      field: "authorization",
      isSame: sameAuthorization(authorizationBefore, authorizationAfter),
      // Nothing proves the sender then.
      warns: ["unset", "none_sent", "none_shown"].includes(authorizationAfter.kind),
      hidesSame: brief && before !== null,
      before: before && words(authorizationBefore),
      after: after && words(authorizationAfter),
    },
  ];
  return (
    <div className="overflow-hidden rounded-control border border-line text-small">
      {heading ? (
        <p className="border-b border-line bg-sunken px-3 py-1.5 text-ink-2">{heading}</p>
      ) : null}
      <div className="font-mono text-xs leading-5">
        {rows.map(({ field, isSame, hidesSame, ...row }) =>
          isSame && row.after !== null ? (
            hidesSame ? null : (
              <Line key={field} mark="same" field={field} text={row.after} />
            )
          ) : (
            <Fragment key={field}>
              {row.before === null ? null : <Line mark="before" field={field} text={row.before} />}
              {row.after === null ? null : (
                <Line mark={row.warns ? "without" : "after"} field={field} text={row.after} />
              )}
            </Fragment>
          ),
        )}
      </div>
    </div>
  );
}

const marks = {
  before: { sign: "−", style: "bg-bad-soft text-bad" },
  after: { sign: "+", style: "bg-ok-soft text-ok" },
  without: { sign: "+", style: "bg-warn-soft text-warn" },
  same: { sign: " ", style: "text-ink-3" },
} as const;

type LineProps = { mark: keyof typeof marks; field: string; text: ReactNode };

function Line({ mark, field, text }: LineProps) {
  const t = useTranslations("webhooks.sheet");
  const { sign, style } = marks[mark];
  return (
    <p className={`flex gap-2 px-3 py-1 ${style}`}>
      <span aria-hidden className="w-2 shrink-0 whitespace-pre">
        {sign}
      </span>
      <span className="sr-only">{t(mark === "without" ? "after" : mark)}</span>
      <span className="min-w-0 [overflow-wrap:anywhere]">
        <span>{field}</span> <span>{text}</span>
      </span>
    </p>
  );
}

type ChangeDiffProps = {
  change: WebhookChange;
  /** False if the text above already names the type. */
  named: boolean;
};

/** What a save or another client changed for one type, or was meant to change, without fields that stay the same. */
export function ChangeDiff({ change, named }: ChangeDiffProps) {
  const t = useTranslations();
  const type = t(`webhooks.types.${change.type}`);
  const heading =
    change.outcome === "seen" ? type : `${type} · ${t(`webhooks.result.types.${change.outcome}`)}`;
  return (
    <DiffBlock
      brief
      heading={named ? heading : null}
      before={shownVersionInHistory(change.before)}
      after={shownVersionInHistory(change.after)}
    />
  );
}
