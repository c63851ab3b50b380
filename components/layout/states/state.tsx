import { ButtonLink } from "@/components/ui/button-link";
import { cn } from "@/components/ui/cn";
import { Compass, MailQuestionMark, ShieldX, UserRoundX } from "lucide-react";
import { useTranslations } from "next-intl";
import type { ReactNode } from "react";

type StateProps = {
  icon: ReactNode;
  tone?: "plain" | "bad";
  title: string;
  /** What happened, whether anything changed, and what to do. */
  children: ReactNode;
  actions?: ReactNode;
};

/** What stands in place of a page that cannot be shown. */
export function State({ icon, tone = "plain", title, children, actions }: StateProps) {
  return (
    <section className="mx-auto flex max-w-md flex-col items-center gap-3 py-8 text-center">
      <span
        className={cn(
          "mb-1 inline-flex size-12 items-center justify-center rounded-full [&>svg]:size-6",
          tone === "bad" ? "bg-bad-soft text-bad" : "bg-brand-soft text-brand",
        )}
      >
        {icon}
      </span>
      <h1 className="text-title font-semibold tracking-tight">{title}</h1>
      <div className="flex flex-col gap-2 text-pretty text-ink-2">{children}</div>
      {actions ? <div className="mt-3 flex flex-wrap justify-center gap-2">{actions}</div> : null}
    </section>
  );
}

/** For a page of a partner one is part of, with a role that does not reach it. */
export function ForbiddenState() {
  const t = useTranslations("shell.forbidden");
  return (
    <State
      icon={<ShieldX aria-hidden />}
      title={t("title")}
      actions={<ButtonLink href="/">{t("home")}</ButtonLink>}
    >
      <p>{t("text")}</p>
    </State>
  );
}

/** The same words for what does not exist and for what one has no part in. */
export function NotFoundState() {
  const t = useTranslations("shell.notFound");
  return (
    <State
      icon={<Compass aria-hidden />}
      title={t("title")}
      actions={<ButtonLink href="/">{t("home")}</ButtonLink>}
    >
      <p>{t("text")}</p>
    </State>
  );
}

/** For somebody who is signed in and part of nothing. */
export function NoPartnerState({ email }: { email: string }) {
  const t = useTranslations("shell.noPartner");
  return (
    <State icon={<UserRoundX aria-hidden />} title={t("title")}>
      <p>{t("text", { email })}</p>
    </State>
  );
}

type UnprovenStateProps = {
  email: string;
  /** What they are to be. */
  role: "support" | "operator";
  way: "both" | "provider" | "mail";
  /** What the identity provider is called; empty where none is set up. */
  provider: string;
};

/** For somebody who is given a role of the staff, and has not shown yet that they are whom it is given to. */
export function UnprovenState({ email, role, way, provider }: UnprovenStateProps) {
  const t = useTranslations("shell.unproven");
  return (
    <State icon={<MailQuestionMark aria-hidden />} title={t("title")}>
      <p>{t(`text.${role}`, { email })}</p>
      <p>{t(`how.${way}`, { provider })}</p>
    </State>
  );
}
