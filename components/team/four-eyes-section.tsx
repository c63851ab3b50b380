"use client";

import { Section } from "@/components/ui/section";
import { Sentences } from "@/components/ui/sentences";
import { usePersonName } from "@/components/ui/person-name";
import { useEnvironmentName } from "@/components/layout/nav/environment-name";
import { Badge } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { ConfirmDialog } from "@/components/ui/confirm-dialog";
import { yieldsFocus } from "@/components/ui/focus-content";
import { AbsoluteTime, RelativeTime } from "@/components/ui/time";
import type { FourEyes } from "@/lib/team/model/team";
import { useTeamChange } from "@/lib/team/client/use-team-change";
import { useFormatter, useTranslations } from "next-intl";
import { useId, useState } from "react";
import type { Result } from "./team-screen";

type FourEyesSectionProps = {
  partner: string;
  fourEyes: FourEyes;
  /** Whether the sign-in provider decides somebody's membership. */
  managed: boolean;
  onResult: (result: Result | null) => void;
};

/** The change to confirm; `agree` is the second admin's agreement to switch it off. */
type Confirming = "on" | "off" | "agree";

/** The rule that production addresses require two people, and the buttons to switch it on and off. */
export function FourEyesSection({ partner, fourEyes, managed, onResult }: FourEyesSectionProps) {
  const t = useTranslations("team.fourEyes");
  const environmentName = useEnvironmentName();
  const nameOf = usePersonName();
  const format = useFormatter();
  const noteId = useId();
  const { pending, send } = useTeamChange(partner);
  const [confirming, setConfirming] = useState<Confirming | null>(null);
  const { required, hasSecondPerson, on, offAsked, admins } = fourEyes;
  const { secondAdmins, lifted, environments } = fourEyes;
  const tooFew = !on && !required && admins < 2;
  const alone = on !== null && secondAdmins.length === 0;
  const noted = tooFew || alone ? { "aria-describedby": noteId } : {};

  function confirm(next: Confirming) {
    onResult(null);
    setConfirming(next);
  }

  async function set(wanted: boolean, done: "on" | "off" | "asked" | "kept") {
    const answer = await send({ kind: "fourEyes", on: wanted, asked: offAsked !== null });
    if (!answer) return;
    setConfirming(null);
    onResult(answer.kind === "done" ? { kind: "done", text: t(`done.${done}`) } : answer);
  }

  return (
    <Section
      title={t("title")}
      text={<span className="block max-w-prose">{t("text")}</span>}
      state={
        <Badge tone={on || required ? "ok" : "neutral"}>{t(on || required ? "on" : "off")}</Badge>
      }
    >
      <div className="flex flex-wrap items-end justify-between gap-x-6 gap-y-4">
        <div className="flex min-w-0 flex-1 basis-80 flex-col items-start gap-2">
          {on ? (
            <p className="text-small text-ink-2">
              <Sentences
                of={[
                  t.rich("since", {
                    name: nameOf(on.by),
                    time: () => <RelativeTime at={on.since} />,
                  }),
                ]}
              />
            </p>
          ) : null}
          {required ? <p className="text-small text-ink-2">{t("required")}</p> : null}
          {required && !hasSecondPerson ? (
            <p className="max-w-prose text-pretty text-warn">{t("noSecondPerson")}</p>
          ) : null}
          {managed ? <p className="max-w-prose text-small text-ink-2">{t("managed")}</p> : null}
          {tooFew ? (
            <p id={noteId} className="text-small text-ink-2">
              {t("tooFew")}
            </p>
          ) : null}
          {alone ? (
            <p id={noteId} className="max-w-prose text-small text-pretty text-ink-2">
              {t("alone")}
            </p>
          ) : null}
          {lifted ? (
            <p className="max-w-prose text-warn">
              <Sentences
                of={[
                  t.rich("lifted", { time: () => <AbsoluteTime at={lifted.at} /> }),
                  lifted.reason === null ? null : t("liftedReason", { text: lifted.reason }),
                ]}
              />
            </p>
          ) : null}
          <p className="text-small text-ink-2">
            {environments.length === 0
              ? t("noProduction")
              : t("environments", { names: format.list(environments.map(environmentName)) })}
          </p>
          {on && offAsked ? (
            <p className="text-warn">
              <Sentences
                of={[
                  t.rich(
                    offAsked.you ? "askedByYou" : offAsked.mayAgree ? "askedBy" : "cannotAgree",
                    {
                      name: offAsked.by,
                      time: () => <AbsoluteTime at={offAsked.expiresAt} ahead />,
                    },
                  ),
                ]}
              />
            </p>
          ) : null}
        </div>
        <div className="flex flex-wrap gap-2">
          {required ? null : !on ? (
            <Button disabled={tooFew} {...noted} onClick={() => confirm("on")}>
              {t("switchOn")}
            </Button>
          ) : offAsked ? (
            <>
              <Button
                ref={yieldsFocus}
                pending={pending && confirming === null}
                onClick={() => void set(true, "kept")}
              >
                {t(offAsked.you ? "takeBack" : "keep")}
              </Button>
              {offAsked.mayAgree ? (
                <Button variant="danger" onClick={() => confirm("agree")}>
                  {t("agree")}
                </Button>
              ) : null}
            </>
          ) : (
            <Button disabled={alone} {...noted} onClick={() => confirm("off")}>
              {t("switchOff")}
            </Button>
          )}
        </div>
      </div>
      {confirming ? (
        <ConfirmDialog
          title={t(`${confirming}Title`)}
          confirmLabel={t(labels[confirming])}
          tone={confirming === "on" ? "primary" : "danger"}
          pending={pending}
          onConfirm={() => void set(confirming === "on", outcomes[confirming])}
          onClose={() => setConfirming(null)}
        >
          {t(`${confirming}Text`)}
        </ConfirmDialog>
      ) : null}
    </Section>
  );
}

const labels = { on: "switchOn", off: "switchOff", agree: "agree" } as const;
const outcomes = { on: "on", off: "asked", agree: "off" } as const;
