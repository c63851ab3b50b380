"use client";

import { EnvironmentSelect } from "@/components/layout/nav/environment-select";
import { FailureNotice } from "@/components/forms/failure-notice";
import { EmptyState } from "@/components/ui/empty-state";
import { TestStripe } from "@/components/layout/nav/environment-badge";
import { useEnvironmentName } from "@/components/layout/nav/environment-name";
import { PageHeader } from "@/components/layout/page-header";
import { Button } from "@/components/ui/button";
import { partnersQuery } from "@/lib/attention/client/partners-query";
import { filterIn, filterParams } from "@/lib/partners/client/query";
import { keepPreviousData, useInfiniteQuery } from "@tanstack/react-query";
import { Building2, Check, Plus, SearchX, Search, X } from "lucide-react";
import { useFormatter, useTranslations } from "next-intl";
import { useRouter, useSearchParams } from "next/navigation";
import { useEffect, useState } from "react";
import { PartnerTable } from "./partner-table";
import { cn } from "@/components/ui/cn";
import { yieldsFocus } from "@/components/ui/focus-content";
import { type PartnerStatus, maxSearchLength } from "@/lib/partners/model/partner-state";
import { replaceUrl } from "@/components/layout/replace-url";
import { IconButton } from "@/components/ui/icon-button";
import { Select, TextInput, useEarlyInput } from "@/components/forms/text-input";
import { ResultNotice } from "@/components/forms/result-notice";
import { lazyPart } from "@/components/layout/lazy-part";
import { MenuItem, RowMenu } from "@/components/ui/menu";
import type { ChangedPartner } from "@/lib/partners/model/change-requests";
import type { PartnerLine } from "@/lib/partners/model/page";
import type { OperatorAction } from "./operator-dialog";

/** The reader's role towards the list of partners. */
type ListReader = "support" | "operator" | "member";

type PartnersScreenProps = {
  reader: ListReader;
  environments: readonly string[];
  /** The environment to show where the URL names none. */
  main: string;
  statuses: readonly PartnerStatus[];
  /** Whether a partner's first admin is invited; not where the sign-in provider decides who it is. */
  invites: boolean;
};

/** Lists all partners for staff, and their own for everybody else. */
export function PartnersScreen(props: PartnersScreenProps) {
  const { reader, environments, main, statuses, invites } = props;
  const t = useTranslations("partners");
  const all = useTranslations();
  const format = useFormatter();
  const environmentName = useEnvironmentName();
  const { filter, typed, type, narrow, clear } = usePartnerFilter(environments, main);
  const list = useInfiniteQuery({ ...partnersQuery(filter), placeholderData: keepPreviousData });
  const operator = useOperatorActions();

  const router = useRouter();
  // The search that the reader confirmed with Enter. If it has a single match, that opens once the list is current.
  const [opening, setOpening] = useState<string | null>(null);
  const isCurrent = list.isSuccess && !list.isPlaceholderData && filter.search === typed.trim();
  const partners = list.data?.pages.flatMap((page) => page.partners) ?? [];
  const [match, ...others] = partners;
  const opens =
    isCurrent && opening === filter.search && opening !== "" && match && others.length === 0
      ? `/partners/${match.id}/${filter.environment}/webhooks`
      : null;
  // With no match or several, the search no longer opens anything, even if one match remains later.
  if (isCurrent && opening !== null && opens === null) setOpening(null);
  useEffect(() => {
    if (opens !== null && reader !== "operator") router.push(opens);
  }, [opens, reader, router]);

  const count = partners.length;
  // A page's first number formatter takes 20 ms or more, and numbers below a thousand need none.
  const shown = count < 1_000 ? String(count) : format.number(count);
  const narrowed = filter.search !== "" || filter.status !== null;
  return (
    <div className="flex flex-col gap-5">
      {reader === "member" ? null : <TestStripe environment={filter.environment} />}
      <PageHeader
        title={t("title")}
        intro={t(`intro.${reader}`)}
        actions={
          <>
            <EnvironmentSelect
              environments={environments}
              value={filter.environment}
              onChange={(environment) => narrow({ environment })}
            />
            {reader === "operator" ? (
              <Button
                variant="primary"
                size="lg"
                icon={<Plus aria-hidden />}
                onPointerEnter={preloadOperatorDialog}
                onFocus={preloadOperatorDialog}
                onClick={() => operator.begin({ kind: "create" })}
              >
                {t("create.button")}
              </Button>
            ) : null}
          </>
        }
      />
      <div className="flex flex-wrap items-center gap-2">
        <SearchField
          placeholder={t(reader === "member" ? "search" : "searchStaff")}
          value={typed}
          onChange={type}
          onEnter={() => setOpening(typed.trim())}
        />
        {reader === "member" ? null : (
          <StatusFilter
            statuses={statuses}
            value={filter.status}
            onChange={(status) => narrow({ status })}
          />
        )}
        <p role="status" className="ml-auto text-small text-ink-3">
          {list.isSuccess && !list.isPlaceholderData
            ? t(list.hasNextPage ? "count.more" : "count.all", { count, shown })
            : ""}
        </p>
      </div>
      {reader === "operator" ? <OperatorActions {...operator} invites={invites} /> : null}
      <FailureNotice
        failure={list.error?.failure ?? null}
        title={t("unavailable.title")}
        unreachable={t("unavailable.unreachable")}
        actions={<Button onClick={() => void list.refetch()}>{all("common.tryAgain")}</Button>}
      />
      {list.isSuccess && partners.length === 0 ? (
        narrowed ? (
          <EmptyState
            icon={<SearchX aria-hidden />}
            title={t("nothingFound.title")}
            text={t(`nothingFound.${reader === "member" ? "text" : "staff"}`)}
            action={
              <Button ref={yieldsFocus} onClick={clear}>
                {t("nothingFound.clear")}
              </Button>
            }
          />
        ) : (
          <EmptyState
            icon={<Building2 aria-hidden />}
            title={t("empty.title")}
            text={t(reader === "operator" ? "empty.operator" : "empty.others", {
              invites: String(invites),
            })}
            action={
              reader === "operator" ? (
                <Button onClick={() => operator.begin({ kind: "create" })}>
                  {t("create.button")}
                </Button>
              ) : null
            }
          />
        )
      ) : null}
      {partners.length > 0 ? (
        <PartnerTable
          partners={partners}
          caption={t("caption", { environment: environmentName(filter.environment) })}
          hrefOf={
            reader === "operator"
              ? null
              : ({ id }) => `/partners/${id}/${filter.environment}/webhooks`
          }
          {...(reader === "operator" && {
            actionsOf: (partner) => (
              <ManageMenu partner={partner} invites={invites} onBegin={operator.begin} />
            ),
          })}
          sort={filter.sort}
          onSort={(sort) => narrow({ sort })}
          busy={list.isPlaceholderData}
        />
      ) : null}
      {list.hasNextPage ? (
        <Button
          ref={yieldsFocus}
          pending={list.isFetchingNextPage}
          onClick={() => void list.fetchNextPage()}
          className="self-center"
        >
          {t("more")}
        </Button>
      ) : null}
    </div>
  );
}

type StatusFilterProps = {
  statuses: readonly PartnerStatus[];
  value: PartnerStatus | null;
  onChange: (value: PartnerStatus | null) => void;
};

/** One status at a time. On a phone, where the buttons would take five lines, a list to choose from. */
function StatusFilter({ statuses, value, onChange }: StatusFilterProps) {
  const t = useTranslations("partners");
  return (
    <>
      <div className="w-full sm:hidden">
        <Select
          aria-label={t("filters")}
          value={value ?? ""}
          onChange={(chosen) => onChange(statuses.find((status) => status === chosen) ?? null)}
        >
          <option value="">{t("anyStatus")}</option>
          {statuses.map((status) => (
            <option key={status} value={status}>
              {t(`statuses.${status}`)}
            </option>
          ))}
        </Select>
      </div>
      <div role="group" aria-label={t("filters")} className="flex flex-wrap gap-2 max-sm:hidden">
        {statuses.map((status) => {
          const pressed = status === value;
          return (
            <button
              key={status}
              type="button"
              aria-pressed={pressed}
              // Pressing it again clears it.
              onClick={() => onChange(pressed ? null : status)}
              className={cn(
                "inline-flex min-h-10 items-center gap-2 rounded-control border px-3 text-small font-medium transition-colors [&>svg]:size-4",
                pressed
                  ? "border-brand bg-brand-soft text-brand"
                  : "border-line-strong bg-surface text-ink hover:bg-hover",
              )}
            >
              {pressed ? <Check aria-hidden /> : null}
              <span>{t(`statuses.${status}`)}</span>
            </button>
          );
        })}
      </div>
    </>
  );
}

/** Milliseconds without typing before the list is fetched. */
const debounceMs = 200;

/**
 * The list's filters. The URL holds them, so that people can reload, bookmark and share a search, and come back to it.
 * The field shows typed text at once; the search is debounced.
 */
function usePartnerFilter(environments: readonly string[], main: string) {
  const address = filterIn(useSearchParams(), environments, main);
  const [typed, setTyped] = useState(address.search);
  const [search, setSearch] = useState(address.search);

  // Next keeps the screen where only the query changes. Unless that is what the reader typed, it was a link or Back.
  const [seen, setSeen] = useState(address.search);
  if (address.search !== seen) {
    setSeen(address.search);
    if (address.search !== typed.trim()) {
      setTyped(address.search);
      setSearch(address.search);
    }
  }

  useEffect(() => {
    const timer = setTimeout(() => setSearch(typed.trim()), debounceMs);
    return () => clearTimeout(timer);
  }, [typed]);

  // Runs in the event handler, not in an effect or after the pause: changing the URL later would make Next abandon a
  // navigation that the reader has started since, such as to a partner in the list.
  function share(change: Partial<typeof address>) {
    // Not `address`, which follows the URL only with the next render.
    const now = filterIn(new URLSearchParams(location.search), environments, main);
    const query = `?${filterParams({ ...now, search: typed.trim(), ...change })}`;
    if (query !== location.search) replaceUrl(location.pathname + query);
  }

  return {
    filter: { ...address, search },
    typed,
    type(text: string) {
      setTyped(text);
      share({ search: text.trim() });
    },
    narrow: share,
    clear() {
      setTyped("");
      setSearch("");
      share({ search: "", status: null });
    },
  };
}

type SearchFieldProps = {
  /** What can be searched for. */
  placeholder: string;
  value: string;
  onChange: (value: string) => void;
  /** The reader confirms the search, so a single match may open. */
  onEnter: () => void;
};

/** "/" focuses the field from anywhere on the page, as in many support tools. */
function SearchField({ placeholder, value, onChange, onEnter }: SearchFieldProps) {
  const t = useTranslations("partners");
  const input = useEarlyInput<HTMLInputElement>(value, (early) => onChange(early.value));

  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.key !== "/" || event.ctrlKey || event.metaKey || event.altKey) return;
      if (isTyping(event.target)) return;
      event.preventDefault();
      input.current?.focus();
    };
    document.addEventListener("keydown", onKey);
    return () => document.removeEventListener("keydown", onKey);
  }, [input]);

  return (
    <div role="search" className="relative w-full sm:w-80">
      <Search
        aria-hidden
        className="pointer-events-none absolute inset-y-0 left-3 my-auto size-4 text-ink-3"
      />
      <TextInput
        ref={input}
        inputMode="search"
        enterKeyHint="search"
        autoCapitalize="none"
        spellCheck={false}
        maxLength={maxSearchLength}
        aria-label={t("search")}
        aria-keyshortcuts="/"
        placeholder={placeholder}
        value={value}
        onChange={(event) => onChange(event.target.value)}
        onKeyDown={(event) => {
          if (event.nativeEvent.isComposing) return;
          if (event.key === "Enter") onEnter();
          if (event.key !== "Escape" || value === "") return;
          event.preventDefault();
          onChange("");
        }}
        className="pr-10 pl-9"
      />
      {value === "" ? (
        <kbd
          aria-hidden
          title={t("shortcut")}
          className="pointer-events-none absolute inset-y-0 right-2.5 my-auto flex h-5 items-center rounded border border-line-strong px-1.5 font-mono text-xs text-ink-3 max-sm:hidden"
        >
          /
        </kbd>
      ) : (
        <IconButton
          label={t("clearSearch")}
          icon={<X aria-hidden />}
          onClick={() => {
            onChange("");
            input.current?.focus();
          }}
          className="absolute inset-y-0 right-1 my-auto"
        />
      )}
    </div>
  );
}

function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement &&
    (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName))
  );
}

// Loaded on use: forms and their rules would be a fifth of the page's code, and only operators use them.
const { LazyPart: OperatorDialog, preload: preloadOperatorDialog } = lazyPart(() =>
  import("./operator-dialog").then((module) => module.OperatorDialog),
);

type Done = { action: OperatorAction; partner: ChangedPartner };

/** The operator's current action on the list, and the outcome of the last one. */
function useOperatorActions() {
  const [action, setAction] = useState<OperatorAction | null>(null);
  const [done, setDone] = useState<Done | null>(null);
  return {
    action,
    done,
    begin(next: OperatorAction) {
      setDone(null);
      setAction(next);
    },
    close: () => setAction(null),
    finish(partner: ChangedPartner) {
      if (action) setDone({ action, partner });
      setAction(null);
    },
  };
}

/** The dialog of the current action, and the result of the last one. */
function OperatorActions(props: ReturnType<typeof useOperatorActions> & { invites: boolean }) {
  const { action, done, begin, close, finish, invites } = props;
  const t = useTranslations("partners");
  const name = done?.partner.name ?? "";
  return (
    <>
      {action ? <OperatorDialog action={action} onDone={finish} onClose={close} /> : null}
      <ResultNotice
        result={
          done && {
            tone: "ok",
            children:
              done.action.kind === "create"
                ? t("create.created", { name })
                : done.action.kind === "rename"
                  ? t("rename.done", { before: done.action.partner.name, after: name })
                  : t(done.partner.suspended ? "suspend.done" : "resume.done", { name }),
            actions:
              done.action.kind === "create" && invites ? (
                <Button onClick={() => begin({ kind: "first_admin", partner: done.partner })}>
                  {t("firstAdmin.next")}
                </Button>
              ) : null,
          }
        }
      />
    </>
  );
}

type ManageMenuProps = {
  partner: PartnerLine;
  invites: boolean;
  onBegin: (action: OperatorAction) => void;
};

/** An operator's actions on one partner. */
function ManageMenu({ partner, invites, onBegin }: ManageMenuProps) {
  const t = useTranslations("partners");
  return (
    <div onPointerEnter={preloadOperatorDialog} onFocus={preloadOperatorDialog}>
      <RowMenu label={t("manage.menu", { partner: partner.name })}>
        {/* Nobody can join a suspended partner. */}
        {partner.suspended || !invites ? null : (
          <MenuItem onSelect={() => onBegin({ kind: "first_admin", partner })}>
            {t("firstAdmin.menu")}
          </MenuItem>
        )}
        <MenuItem onSelect={() => onBegin({ kind: "rename", partner })}>
          {t("manage.rename")}
        </MenuItem>
        <MenuItem onSelect={() => onBegin({ kind: "suspend", partner })}>
          {t(partner.suspended ? "manage.resume" : "manage.suspend")}
        </MenuItem>
      </RowMenu>
    </div>
  );
}
