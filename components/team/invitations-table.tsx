"use client";

import { Badge } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { Card, CardBody } from "@/components/ui/card";
import { AbsoluteTime, RelativeTime } from "@/components/ui/time";
import type { Invitation } from "@/lib/team/model/team";
import { Link2, MailX } from "lucide-react";
import { useTranslations } from "next-intl";
import { bodyCell, headCell } from "./table-style";

type InvitationsTableProps = {
  invitations: readonly Invitation[];
  onRenew: (invitation: Invitation) => void;
  onRevoke: (invitation: Invitation) => void;
};

export function InvitationsTable({ invitations, onRenew, onRevoke }: InvitationsTableProps) {
  const t = useTranslations("team");
  if (invitations.length === 0) {
    return (
      <Card dashed>
        <CardBody className="text-ink-2">{t("invitations.none")}</CardBody>
      </Card>
    );
  }
  return (
    <Card>
      <table className="w-full">
        <thead className="border-b border-line bg-sunken max-sm:sr-only">
          <tr>
            <th className={`${headCell} rounded-tl-card`}>{t("members.person")}</th>
            <th className={`${headCell} max-sm:hidden`}>{t("members.role")}</th>
            <th className={`${headCell} max-md:hidden`}>{t("invitations.state")}</th>
            <th className={`${headCell} rounded-tr-card`}>
              <span className="sr-only">{t("members.actions")}</span>
            </th>
          </tr>
        </thead>
        <tbody className="divide-y divide-line">
          {invitations.map((invitation) => (
            <InvitationRow
              key={invitation.id}
              invitation={invitation}
              onRenew={() => onRenew(invitation)}
              onRevoke={() => onRevoke(invitation)}
            />
          ))}
        </tbody>
      </table>
    </Card>
  );
}

type InvitationRowProps = { invitation: Invitation; onRenew: () => void; onRevoke: () => void };

function InvitationRow({ invitation, onRenew, onRevoke }: InvitationRowProps) {
  const t = useTranslations();
  const { email, name, invitedBy, invitedAt } = invitation;
  const role = t(`common.roles.${invitation.role}`);
  const time = () => <RelativeTime at={invitedAt} />;
  return (
    <tr>
      <th scope="row" className={`${bodyCell} text-left font-normal`}>
        <div className="flex min-w-0 flex-col gap-0.5">
          <span className="font-medium [overflow-wrap:anywhere]">{email}</span>
          {name === null ? null : (
            <span className="text-small [overflow-wrap:anywhere] text-ink-2">{name}</span>
          )}
          <span className="text-small text-ink-3">
            {t.rich("team.invitations.by", { name: invitedBy, time })}
          </span>
          <span className="text-small text-ink-2 sm:hidden">{role}</span>
          <span className="text-small text-ink-2 md:hidden">
            <Life invitation={invitation} />
          </span>
        </div>
      </th>
      <td className={`${bodyCell} max-sm:hidden`}>{role}</td>
      <td className={`${bodyCell} text-ink-2 max-md:hidden`}>
        <Life invitation={invitation} />
      </td>
      <td className={`${bodyCell} w-px`}>
        <div className="flex justify-end gap-1 max-sm:-mr-2">
          <Button
            size="sm"
            variant="ghost"
            icon={<Link2 aria-hidden />}
            aria-label={t("team.invitations.newLinkFor", { email })}
            onClick={onRenew}
          >
            <span className="max-lg:sr-only">{t("team.invitations.newLink")}</span>
          </Button>
          <Button
            size="sm"
            variant="ghost"
            icon={<MailX aria-hidden />}
            aria-label={t("team.invitations.revokeOf", { email })}
            onClick={onRevoke}
          >
            <span className="max-lg:sr-only">{t("team.invitations.revoke")}</span>
          </Button>
        </div>
      </td>
    </tr>
  );
}

function Life({ invitation: { expired, expiresAt } }: { invitation: Invitation }) {
  const t = useTranslations("team.invitations");
  if (expired) return <Badge tone="warn">{t("expired")}</Badge>;
  return t.rich("expires", { time: () => <AbsoluteTime at={expiresAt} /> });
}
