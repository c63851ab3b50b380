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
  type KeyboardEvent,
  type ReactNode,
} from "react";
import { cn } from "./cn";

/** Closes the menu around an item, and returns the focus to its button. */
const CloseMenu = createContext<() => void>(() => {});

type MenuProps = {
  /** The accessible name of the button and of the menu. */
  label: string;
  /** The button's content. */
  trigger: ReactNode;
  triggerClassName?: string;
  /** The menu's width and position. */
  menuClassName: string;
  className?: string | undefined;
  children: ReactNode;
};

/** A menu button as the ARIA practices describe it: arrows, Home, End, Escape. */
export function Menu(props: MenuProps) {
  const { label, menuClassName, children } = props;
  const id = useId();
  const root = useRef<HTMLDivElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  const [open, setOpen] = useState(false);
  const items = () => [...(root.current?.querySelectorAll<HTMLElement>('[role="menuitem"]') ?? [])];

  useEffect(() => {
    if (!open) return;
    items()[0]?.focus();
    // Not every browser focuses a clicked element, so this listens for presses instead of for blur.
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

  function onMenuKey(event: KeyboardEvent) {
    if (event.key === "Tab") return setOpen(false);
    const all = items();
    const at = all.findIndex((item) => item === document.activeElement);
    const moves: Record<string, () => void> = {
      Escape: close,
      ArrowDown: () => all[(at + 1) % all.length]?.focus(),
      ArrowUp: () => all.at(Math.max(at, 0) - 1)?.focus(),
      Home: () => all[0]?.focus(),
      End: () => all.at(-1)?.focus(),
    };
    const move = moves[event.key];
    if (!move) return;
    event.preventDefault();
    event.stopPropagation();
    move();
  }

  return (
    <div ref={root} className={cn("relative", props.className)}>
      <button
        ref={button}
        type="button"
        aria-label={label}
        aria-haspopup="menu"
        aria-expanded={open}
        aria-controls={open ? id : undefined}
        onClick={() => setOpen(!open)}
        onKeyDown={(event) => {
          if (event.key !== "ArrowDown") return;
          event.preventDefault();
          setOpen(true);
        }}
        className={props.triggerClassName}
      >
        {props.trigger}
      </button>
      {open ? (
        <div
          id={id}
          role="menu"
          aria-label={label}
          tabIndex={-1}
          onKeyDown={onMenuKey}
          className={cn(
            "absolute z-30 my-1 animate-fade-in rounded-card border border-line bg-surface p-1 shadow-menu",
            menuClassName,
          )}
        >
          <CloseMenu value={close}>{children}</CloseMenu>
        </div>
      ) : null}
    </div>
  );
}

/** A menu of actions on a table row or a card. */
export function RowMenu({ label, children }: Pick<MenuProps, "label" | "children">) {
  return (
    <Menu
      label={label}
      menuClassName="top-full right-0 min-w-52"
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

type MenuLinkProps = {
  href: string;
  /** The link leads to the current page. */
  current?: boolean;
  /** The link downloads a file. */
  download?: boolean;
  children: ReactNode;
};

export function MenuLink({ current = false, children, ...link }: MenuLinkProps) {
  const close = use(CloseMenu);
  return (
    <Link
      {...link}
      prefetch={false}
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
