"use client";

import { useFormatter, useTranslations } from "next-intl";
import type { ShownProposal } from "./shown-proposal";

/** So many are named; of more, how many. */
const namedAtMost = 3;

/** Why the person who is looking cannot approve it, if so, and who can. Nobody can what is out of date. */
export function WhoCanApprove({ proposal, reader, old }: ShownProposal) {
  const t = useTranslations("webhooks.proposal");
  const format = useFormatter();
  const { approvers, by, outdated } = proposal;
  if (outdated) return null;
  const isSecond = approvers?.some(({ id }) => id === reader) ?? false;
  if (isSecond && !old) return null;
  const said = [];
  if (approvers === null) said.push(t("authorMayNot", { name: by.name }));
  else if (isSecond) said.push(t("oldNote"));
  else {
    if (reader === by.id) said.push(t("ownNote"));
    else if (reader !== null) said.push(t("notSecond", { name: by.name }));
    const named = approvers.slice(0, namedAtMost).map(({ name }) => name);
    const others = approvers.length - named.length;
    if (others > 0) named.push(t("others", { count: others }));
    const names = format.list(named, { type: "disjunction" });
    said.push(named.length > 0 ? t("whoCan", { names }) : t("nobodyCan", { name: by.name }));
  }
  return <p className="text-small text-pretty text-ink-2">{said.join(" ")}</p>;
}
