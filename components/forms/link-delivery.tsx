import { Notice } from "@/components/ui/notice";
import type { LinkDelivery as Delivery } from "@/lib/platform/mail/model/link-delivery";
import { useTranslations } from "next-intl";

type LinkDeliveryProps = { to: string; delivery: Delivery; link: "invitation" | "password" };

/** How an added or invited person gets in. No screen shows the link: using it proves ownership of the address. */
export function LinkDelivery({ to: email, delivery, link }: LinkDeliveryProps) {
  const t = useTranslations("common.delivery");
  const tones = { sent: "ok", failed: "bad", provider: "info", terminal: "info" } as const;
  return (
    <Notice tone={tones[delivery]} role={delivery === "failed" ? "alert" : "status"}>
      {delivery === "sent" ? t("sent", { email }) : t(`${delivery}.${link}`, { email })}
      {delivery === "terminal" ? (
        <code className="mt-2 block text-small [overflow-wrap:anywhere]">
          npm run gancho -- reset-access {email} --{link}
        </code>
      ) : null}
    </Notice>
  );
}
