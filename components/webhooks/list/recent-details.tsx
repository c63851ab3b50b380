import { Diffs } from "@/components/history/diffs";
import type { WebhookChange } from "@/lib/history/model/webhook-change";
import type { ConfiguredWebhook, RecentChange } from "@/lib/webhooks/model/configuration";
import { addressesBefore, restoringSheets } from "@/lib/webhooks/model/draft";
import type { SheetAddress } from "@/lib/webhooks/model/sheet-address";
import { Undo2 } from "lucide-react";
import { useTranslations } from "next-intl";
import { EditButton, type Editing } from "./edit-button";

export type RecentDetailsProps = {
  entry: RecentChange;
  changes: readonly WebhookChange[];
  /** Left out where nothing took effect. */
  restoring?: {
    /** The registered version: there is nothing to restore. */
    now: readonly ConfiguredWebhook[];
    editing: Editing;
    onOpen: (address: SheetAddress) => void;
  };
  onClose: () => void;
};

/** What differs, and the way back to the address before it. */
export function RecentDetails({ entry, changes, restoring }: RecentDetailsProps) {
  return (
    <div className="flex flex-col gap-2">
      <Diffs entry={entry} changes={changes} />
      {restoring && entry.seq ? (
        <RestoreButtons {...restoring} changes={changes} from={`entry.${entry.seq}`} />
      ) : null}
    </div>
  );
}

type RestoreButtonsProps = NonNullable<RecentDetailsProps["restoring"]> & {
  changes: readonly WebhookChange[];
  from: `entry.${number}`;
};

function RestoreButtons({ changes, from, now, editing, onOpen }: RestoreButtonsProps) {
  const t = useTranslations("webhooks");
  const sheets = restoringSheets(
    addressesBefore(changes).filter(
      ({ type, callbackUrl }) =>
        !now.some((webhook) => webhook.type === type && webhook.callbackUrl === callbackUrl),
    ),
    from,
  );
  if (sheets.length === 0) return null;
  return (
    <div className="flex flex-wrap gap-2">
      {sheets.map((sheet) => (
        <EditButton
          key={sheet.type}
          editing={editing}
          opens={sheet}
          onOpen={onOpen}
          size="sm"
          icon={<Undo2 aria-hidden />}
        >
          {sheets.length > 1
            ? t("card.restoreType", { type: t(`types.${sheet.type}`) })
            : t("card.restore")}
        </EditButton>
      ))}
    </div>
  );
}
