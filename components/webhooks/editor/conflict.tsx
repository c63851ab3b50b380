"use client";

import { Notice } from "@/components/ui/notice";
import { RelativeTime } from "@/components/ui/time";
import { overwrittenAuthors, type Overtaken } from "@/lib/webhooks/model/compare";
import type { Draft } from "@/lib/webhooks/model/draft";
import { typesOf } from "@/lib/webhooks/model/types";
import { useFormatter, useTranslations } from "next-intl";
import { Button } from "@/components/ui/button";

type ConflictProps = { overtaken: readonly Overtaken[]; draft: Draft };

/**
 * Somebody was quicker, and who. From here on the form compares with what is registered now; the choice stands in the
 * sheet's footer, in place of the save button.
 */
export function ConflictNotice({ overtaken, draft }: ConflictProps) {
  const t = useTranslations("webhooks");
  return (
    <Notice role="alert" tone="warn" title={t("result.not_saved")}>
      <p>{t("conflict.text")}</p>
      <ul className="mt-1 flex flex-col">
        {overtaken.map(({ type: of, change }) => {
          const type = t(`types.${of}`);
          const time = () => <RelativeTime at={change?.at ?? ""} />;
          return (
            <li key={of}>
              {!change
                ? t("conflict.changed", { type })
                : change.by === null
                  ? t.rich(change.onlyValue ? "conflict.otherValue" : "conflict.changedOutside", {
                      type,
                      time,
                    })
                  : t.rich("conflict.changedBy", { type, name: change.by, time })}
              {typesOf(draft.type).includes(of) ? null : ` ${t("conflict.untouched")}`}
            </li>
          );
        })}
      </ul>
    </Notice>
  );
}

type ConflictChoiceProps = ConflictProps & {
  pending: boolean;
  onKeepMine: () => void;
  onTakeTheirs: () => void;
};

/**
 * The two ways to resolve a conflict, always in view, one named by whose change it overwrites. Pressing save again
 * decides nothing.
 */
export function ConflictChoice(props: ConflictChoiceProps) {
  const { overtaken, draft, pending, onKeepMine, onTakeTheirs } = props;
  const t = useTranslations("webhooks.conflict");
  const format = useFormatter();
  const authors = overwrittenAuthors(overtaken, draft).map((name) => name ?? t("unknownClient"));
  return (
    <>
      <Button disabled={pending} onClick={onTakeTheirs}>
        {t("takeTheirs")}
      </Button>
      <Button variant="primary" pending={pending} onClick={onKeepMine}>
        {authors.length > 0
          ? t("overwriteOf", { names: format.list(authors), count: authors.length })
          : t("keepMine")}
      </Button>
    </>
  );
}
