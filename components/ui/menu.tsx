"use client";

import { Check, Ellipsis } from "lucide-react";
import Link from "next/link";
import {
  createContext,
  use,
  useEffect,
  useId,
  useRef,
  useState,
  type FocusEvent,
  type KeyboardEvent,
  type ReactNode,
} from "react";
import { cn } from "./cn";
import { menuMove } from "./menu-move";

/** Closes the menu an item stands in, and gives focus back to its button. */
const CloseMenu = createContext<() => void>(() => {});

type MenuProps = {
  /** The accessible name of the button and of the menu. */
  label: string;
  /** What the button shows. */
  trigger: ReactNode;
  triggerClassName?: string;
  /** Where the menu opens, relative to the button. */
  side?: "above" | "below";
  /** Which edge aligns with the button's. */
  align?: "start" | "end";
  /** How wide the menu is. */
  menuClassName: string;
  className?: string;
  children: ReactNode;
};

/** A menu button as the ARIA practices describe it: arrows, Home, End, the first letter, Escape. */
export function Menu({
  label,
  trigger,
  triggerClassName,
  side = "below",
  align = "start",
  menuClassName,
  className,
  children,
}: MenuProps) {
  const id = useId();
  const root = useRef<HTMLDivElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  const menu = useRef<HTMLDivElement>(null);
  const [open, setOpen] = useState<false | "first" | "last">(false);

  const items = () => [
    ...(menu.current?.querySelectorAll<HTMLElement>('[role^="menuitem"]') ?? []),
  ];

  useEffect(() => {
    if (!open) return;
    items()
      .at(open === "first" ? 0 : -1)
      ?.focus();
    // Not every browser focuses a pressed element, so leaving focus alone is not enough.
    const onPress = (event: PointerEvent) => {
      if (event.target instanceof Node && !root.current?.contains(event.target)) setOpen(false);
    };
    document.addEventListener("pointerdown", onPress);
    return () => document.removeEventListener("pointerdown", onPress);
  }, [open]);

  function close() {
    setOpen(false);
    button.current?.focus();
  }

  function onButtonKey(event: KeyboardEvent) {
    if (event.key !== "ArrowDown" && event.key !== "ArrowUp") return;
    event.preventDefault();
    setOpen(event.key === "ArrowDown" ? "first" : "last");
  }

  function onMenuKey(event: KeyboardEvent) {
    if (event.key === "Escape") {
      event.preventDefault();
      event.stopPropagation();
      close();
      return;
    }
    if (event.key === "Tab") {
      setOpen(false);
      return;
    }
    const all = items();
    const to = menuMove(
      event.key,
      all.findIndex((item) => item === document.activeElement),
      all.map((item) => item.textContent ?? ""),
    );
    if (to === null) return;
    event.preventDefault();
    all[to]?.focus();
  }

  function onBlur(event: FocusEvent) {
    if (event.relatedTarget && !root.current?.contains(event.relatedTarget)) setOpen(false);
  }

  return (
    <div ref={root} onBlur={onBlur} className={cn("relative", className)}>
      <button
        ref={button}
        type="button"
        aria-label={label}
        aria-haspopup="menu"
        aria-expanded={open !== false}
        aria-controls={open ? id : undefined}
        onClick={() => setOpen(open ? false : "first")}
        onKeyDown={onButtonKey}
        className={triggerClassName}
      >
        {trigger}
      </button>
      {open ? (
        <div
          ref={menu}
          id={id}
          role="menu"
          aria-label={label}
          tabIndex={-1}
          onKeyDown={onMenuKey}
          className={cn(
            "absolute z-30 animate-fade-in rounded-card border border-line bg-surface p-1 shadow-menu",
            side === "above" ? "bottom-full mb-1" : "top-full mt-1",
            align === "start" ? "left-0" : "right-0",
            menuClassName,
          )}
        >
          <CloseMenu value={close}>{children}</CloseMenu>
        </div>
      ) : null}
    </div>
  );
}

/** The actions on one line of a table. */
export function RowMenu({ label, children }: Pick<MenuProps, "label" | "children">) {
  return (
    <Menu
      label={label}
      align="end"
      menuClassName="min-w-52"
      trigger={<Ellipsis aria-hidden className="size-4" />}
      triggerClassName="inline-flex size-9 items-center justify-center rounded-control text-ink-2 hover:bg-hover hover:text-ink"
    >
      {children}
    </Menu>
  );
}

const itemStyle =
  "flex min-h-8 w-full items-center gap-2.5 rounded-[5px] px-2 py-1 text-left text-ink hover:bg-hover focus:bg-hover focus-visible:outline-offset-[-2px] [&>svg]:size-4 [&>svg]:shrink-0 [&>svg]:text-ink-2";

type MenuItemProps = { children: ReactNode; onSelect: () => void };

export function MenuItem({ children, onSelect }: MenuItemProps) {
  const close = use(CloseMenu);
  return (
    <button
      type="button"
      role="menuitem"
      tabIndex={-1}
      className={itemStyle}
      onClick={() => {
        close();
        onSelect();
      }}
    >
      {children}
    </button>
  );
}

type MenuLinkProps = { href: string; current?: boolean; children: ReactNode };

export function MenuLink({ href, current = false, children }: MenuLinkProps) {
  const close = use(CloseMenu);
  return (
    <Link
      href={href}
      role="menuitem"
      tabIndex={-1}
      aria-current={current ? "page" : undefined}
      className={itemStyle}
      onClick={close}
    >
      <span className="min-w-0 flex-1">{children}</span>
      {current ? <Check aria-hidden /> : null}
    </Link>
  );
}

/** A download; the page stays. */
export function MenuDownload({ href, children }: { href: string; children: ReactNode }) {
  const close = use(CloseMenu);
  return (
    <a href={href} download role="menuitem" tabIndex={-1} className={itemStyle} onClick={close}>
      {children}
    </a>
  );
}

/** Items under a heading that names them. */
export function MenuGroup({ label, children }: { label: string; children: ReactNode }) {
  const id = useId();
  return (
    <div role="group" aria-labelledby={id}>
      <p id={id} className="truncate px-2 pt-1.5 pb-1 text-xs text-ink-3">
        {label}
      </p>
      {children}
    </div>
  );
}

type MenuChoiceProps<Value extends string> = {
  label: string;
  value: Value;
  onChange: (value: Value) => void;
  options: readonly { value: Value; label: string; lang?: string }[];
};

/** A single choice inside a menu. */
export function MenuChoice<Value extends string>({
  label,
  value,
  onChange,
  options,
}: MenuChoiceProps<Value>) {
  const close = use(CloseMenu);
  return (
    <MenuGroup label={label}>
      {options.map((option) => (
        <button
          key={option.value}
          type="button"
          role="menuitemradio"
          aria-checked={option.value === value}
          tabIndex={-1}
          lang={option.lang}
          className={itemStyle}
          onClick={() => {
            close();
            onChange(option.value);
          }}
        >
          <span className="flex-1">{option.label}</span>
          {option.value === value ? <Check aria-hidden /> : null}
        </button>
      ))}
    </MenuGroup>
  );
}

export function MenuSeparator() {
  return <div role="separator" className="-mx-1 my-1 border-t border-line" />;
}
