"use client";

import { Badge } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { ConfirmDialog } from "@/components/ui/confirm-dialog";
import { MenuItem, RowMenu } from "@/components/ui/menu";
import { Section } from "@/components/ui/section";
import { Sentences } from "@/components/ui/sentences";
import { AbsoluteTime } from "@/components/ui/time";
import { useTeamChange } from "@/lib/team/client/use-team-change";
import { mostAlertAddresses, type AlertAddress, type Team } from "@/lib/team/model/team";
import { Plus } from "lucide-react";
import { useTranslations } from "next-intl";
import { useState } from "react";
import type { Result } from "./team-screen";

type AlertAddressesSectionProps = {
  partner: string;
  addresses: Team["alertAddresses"];
  /** Whether this installation sends mail. */
  mail: boolean;
  onAdd: () => void;
  onResult: (result: Result | null) => void;
};

/** Mailboxes of groups that get the alerts of admins about the partner's webhooks. */
export function AlertAddressesSection(props: AlertAddressesSectionProps) {
  const { partner, addresses, mail, onAdd, onResult } = props;
  const t = useTranslations("team.alertAddresses");
  const { pending, send } = useTeamChange(partner);
  const [removing, setRemoving] = useState<AlertAddress | null>(null);

  async function remove({ id, address }: AlertAddress) {
    const answer = await send({ kind: "removeAddress", address: id });
    if (!answer) return;
    setRemoving(null);
    onResult(answer.kind === "done" ? { kind: "done", text: t("removed", { address }) } : answer);
  }

  return (
    <Section
      title={t("title")}
      text={<span className="block max-w-prose">{t(mail ? "text" : "noMail")}</span>}
    >
      <div className="flex flex-col items-start gap-4">
        {addresses.length > 0 ? (
          <ul className="flex w-full flex-col gap-2">
            {addresses.map((each) => (
              <li key={each.id} className="flex flex-wrap items-center gap-x-4 gap-y-1">
                <span translate="no" className="font-medium [overflow-wrap:anywhere]">
                  {each.address}
                </span>
                <span className="text-small text-ink-2">
                  {t("addedBy", { name: each.addedBy.name })}
                </span>
                <Badge tone={each.state === "confirmed" ? "ok" : "warn"}>
                  {t(`states.${each.state}`)}
                </Badge>
                {each.failingSince ? (
                  <span className="text-small text-bad">
                    <Sentences
                      of={[
                        t.rich("failing", {
                          time: () => <AbsoluteTime at={each.failingSince ?? ""} />,
                        }),
                      ]}
                    />
                  </span>
                ) : null}
                <span className="ml-auto">
                  <RowMenu label={t("manage", { address: each.address })}>
                    <MenuItem
                      onSelect={() => {
                        onResult(null);
                        setRemoving(each);
                      }}
                    >
                      {t("remove")}
                    </MenuItem>
                  </RowMenu>
                </span>
              </li>
            ))}
          </ul>
        ) : mail ? (
          <p className="text-ink-2">{t("none")}</p>
        ) : null}
        {mail ? (
          <Button
            icon={<Plus aria-hidden />}
            disabled={addresses.length >= mostAlertAddresses}
            onClick={onAdd}
          >
            {t("add")}
          </Button>
        ) : null}
      </div>
      {removing ? (
        <ConfirmDialog
          title={t("removeTitle", { address: removing.address })}
          confirmLabel={t("remove")}
          tone="danger"
          pending={pending}
          onConfirm={() => void remove(removing)}
          onClose={() => setRemoving(null)}
        >
          {t("removeText")}
        </ConfirmDialog>
      ) : null}
    </Section>
  );
}
