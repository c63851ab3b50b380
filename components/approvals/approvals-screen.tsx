"use client";

import type { EndpointChecks } from "@/components/endpoint-check/use-endpoint-checks";
import { Sentences } from "@/components/ui/sentences";
import { Proposals } from "@/components/webhooks/proposals/proposals";
import { useHere } from "@/components/layout/here";
import { PageHeader } from "@/components/layout/page-header";
import { usePageAgain } from "@/components/layout/use-page-again";
import { ButtonLink } from "@/components/ui/button-link";
import { EmptyState } from "@/components/ui/empty-state";
import { Notice } from "@/components/ui/notice";
import { ProblemText } from "@/components/forms/failure-notice";
import { Button } from "@/components/ui/button";
import { SavedNotice, type Done } from "@/components/webhooks/editor/saved-notice";
import { OpenSaves } from "@/components/webhooks/list/open-saves";
import { ReadAge } from "@/components/webhooks/list/read-age";
import { StaleNotice } from "@/components/webhooks/list/screen-notices";
import type { ClientProblem } from "@/lib/platform/http/client/fetch-json";
import { useConfiguration } from "@/lib/webhooks/client/use-configuration";
import type { Configuration } from "@/lib/webhooks/model/configuration";
import { pendingProposalIds } from "@/lib/webhooks/model/proposals/needs-approval";
import { Hourglass, RefreshCw, Stamp, X } from "lucide-react";
import { useTranslations } from "next-intl";
import { useState, type ComponentProps } from "react";
import { Section } from "@/components/ui/section";
import { useQuery } from "@tanstack/react-query";
import { yieldsFocus } from "@/components/ui/focus-content";
import { IconButton } from "@/components/ui/icon-button";
import { RelativeTime } from "@/components/ui/time";
import { Address } from "@/components/webhooks/compare/address";
import { dismissEnded, endedQuery } from "@/lib/approvals/client/ended-query";
import { useApiMutation } from "@/lib/platform/http/client/use-api-mutation";

type ApprovalsScreenProps = {
  initial: Configuration;
  /** What the server still reads; null: `initial` is that. */
  reading: Promise<Configuration | null> | null;
  viewer: { id: string; mayDecide: boolean };
  endpointChecks: EndpointChecks;
};

/** Proposals that wait for a second person, and how the viewer's own ended. */
export function ApprovalsScreen(props: ApprovalsScreenProps) {
  const { initial, viewer } = props;
  const t = useTranslations("approvals.page");
  const { ref } = useHere();
  const read = useConfiguration(initial, props.reading);
  const { configuration, failure, old } = read;
  const [done, setDone] = useState<Done | null>(null);
  const proposals = configuration.proposals ?? [];
  const waiting = pendingProposalIds(configuration, viewer.id);
  const { data } = useQuery(endedQuery(ref, waiting));
  return (
    <div className="flex flex-col gap-6">
      <Header age={<ReadAge {...read} />} />
      <SavedNotice result={done} configuration={configuration} onDismiss={() => setDone(null)} />
      <Proposals
        configuration={configuration}
        old={old}
        decider={viewer.mayDecide ? viewer.id : null}
        isMain
        endpointChecks={props.endpointChecks}
        onDone={setDone}
      />
      <OpenSaves configuration={configuration} onNews={setDone} />
      {proposals.length === 0 && !data?.credentialsBy ? (
        <EmptyState
          icon={<Stamp aria-hidden />}
          title={t("none")}
          text={t(configuration.fourEyes ? "noneText" : "noneOff")}
        />
      ) : null}
      <ProposalNotices waiting={waiting} />
      {old ? <StaleNotice configuration={configuration} failure={failure} /> : null}
    </div>
  );
}

function Header({ age }: Pick<ComponentProps<typeof PageHeader>, "age">) {
  const t = useTranslations("approvals.page");
  const { partner, environmentName: environment } = useHere();
  return (
    <PageHeader
      title={t("title")}
      intro={t("intro", { partner: partner.name, environment })}
      age={age}
    />
  );
}

type UnavailableProps = {
  problem: Pick<ClientProblem, "code"> & Partial<ClientProblem>;
  /** A reading that may still end; the page is asked for again then. */
  reading: Promise<unknown> | null;
};

/** Shown while what is registered is unknown: the page compares proposed changes of webhooks with it. */
export function ApprovalsUnavailable({ problem, reading }: UnavailableProps) {
  const t = useTranslations();
  const { pending, again } = usePageAgain(reading);
  return (
    <div className="flex flex-col gap-6">
      <Header />
      <Notice
        tone="warn"
        title={t("approvals.page.notRead")}
        actions={
          <Button pending={pending} icon={<RefreshCw aria-hidden />} onClick={again}>
            {t("common.tryAgain")}
          </Button>
        }
      >
        <ProblemText problem={problem} />
      </Notice>
      <ProposalNotices waiting={[]} />
    </div>
  );
}

/**
 * Leads to new API credentials that wait, and shows the author how their proposals ended and why, until they dismiss it.
 * `waiting`: the ids of those still waiting.
 */
function ProposalNotices({ waiting }: { waiting: readonly string[] }) {
  const t = useTranslations("approvals");
  const { ref } = useHere();
  const { data, refetch } = useQuery(endedQuery(ref, waiting));
  const { answer: dismissed, send } = useApiMutation(
    async (id: string) => ({ id, failure: await dismissEnded(ref, id) }),
    { onAnswer: async () => void (await refetch()) },
  );
  const ended = data?.ended ?? [];
  const connectionHref = `/partners/${ref.partner}/${ref.environment}/connection`;
  return (
    <>
      {/* Outlives the last notice, so that its dismissal is announced too. */}
      <p role="status" className="sr-only">
        {dismissed?.failure === null ? t("ended.dismissed") : ""}
      </p>
      {data?.credentialsBy ? (
        <Notice
          tone="warn"
          icon={<Hourglass aria-hidden />}
          title={t("page.credentials")}
          actions={<ButtonLink href={connectionHref}>{t("page.open")}</ButtonLink>}
        >
          {t("page.credentialsText", { name: data.credentialsBy })}
        </Notice>
      ) : null}
      {ended.length > 0 ? (
        <Section bare title={t("ended.region")}>
          {ended.map(({ id, about, state, by, reason, at, save }) => {
            const what = t(`what.${about.kind === "webhooks" ? about.type : "credentials"}`);
            const approved = about.kind === "connection" ? "inUse" : (save ?? "saving");
            return (
              <Notice
                key={id}
                tone={tones[state === "approved" ? approved : state]}
                title={t(`ended.${state}`, { name: by ?? "", what })}
                className="relative pr-14"
              >
                <p
                  translate="no"
                  className="font-mono text-[0.8125rem] leading-5 [overflow-wrap:anywhere]"
                >
                  {about.kind === "webhooks" ? (
                    <Address coloured url={about.url} />
                  ) : (
                    about.clientId
                  )}
                </p>
                {reason === null ? null : (
                  <p className="mt-1">{t("ended.reason", { text: reason })}</p>
                )}
                <p className="mt-1 text-small text-ink-2">
                  <Sentences
                    of={[
                      <RelativeTime key="at" at={at} />,
                      "·",
                      state === "approved"
                        ? t(`ended.save.${approved}`)
                        : t(`ended.text.${about.kind === "connection" ? "credentials" : state}`),
                    ]}
                  />
                </p>
                {dismissed?.id === id && dismissed.failure !== null ? (
                  <p role="alert" className="mt-1 text-small text-bad">
                    {t("ended.notDismissed")}
                  </p>
                ) : null}
                <IconButton
                  ref={yieldsFocus}
                  label={t("ended.dismiss", { what })}
                  icon={<X aria-hidden />}
                  onClick={() => void send(id)}
                  className="absolute top-2 right-2"
                />
              </Notice>
            );
          })}
        </Section>
      ) : null}
    </>
  );
}

const tones = {
  rejected: "bad",
  withdrawn: "info",
  replaced: "info",
  expired: "warn",
  saved: "ok",
  unchanged: "ok",
  inUse: "ok",
  partly: "warn",
  accepted: "warn",
  unclear: "warn",
  refused: "bad",
  not_sent: "bad",
  not_shown: "bad",
  saving: "info",
} as const;
