import { ArrowUp, ArrowUpDown } from "lucide-react";
import type { ComponentPropsWithRef, ReactNode } from "react";
import { cn } from "./cn";

type Column = {
  name: string;
  /** Only screen readers get the name. */
  isScreenReaderOnly?: boolean;
  /** Hides the column on some screens; its cells need the same classes. */
  className?: string;
  /** Switches sorting by this column on and off. */
  onSort?: () => void;
  sorted?: boolean;
};

type TableProps = {
  caption?: string;
  columns: readonly Column[];
  /** Visually hides the header on a phone, or wherever many columns would be too narrow. */
  bareOnPhone?: boolean | "and tablet";
  /** Newer rows are loading. */
  busy?: boolean;
  children: ReactNode;
};

const narrow: Record<string, string> = {
  true: "max-md:sr-only",
  "and tablet": "max-[1150px]:sr-only",
};

/** A table in a card. */
export function Table({ caption, columns, bareOnPhone, busy = false, children }: TableProps) {
  return (
    <div className="min-w-0 rounded-card border border-line bg-surface shadow-card">
      <table aria-busy={busy} className={cn("w-full transition-opacity", busy && "opacity-60")}>
        {caption === undefined ? null : <caption className="sr-only">{caption}</caption>}
        <thead
          className={cn(
            "border-b border-line bg-sunken",
            bareOnPhone && narrow[String(bareOnPhone)],
          )}
        >
          <tr>
            {columns.map((column) => (
              <th
                key={column.name}
                scope="col"
                aria-sort={column.sorted ? "ascending" : undefined}
                className={cn(
                  "px-4 py-2 text-left text-small font-medium whitespace-nowrap text-ink-2 first:rounded-tl-card last:rounded-tr-card sm:px-5",
                  column.className,
                )}
              >
                <ColumnName {...column} />
              </th>
            ))}
          </tr>
        </thead>
        <tbody className="divide-y divide-line">{children}</tbody>
      </table>
    </div>
  );
}

function ColumnName({ name, isScreenReaderOnly, onSort, sorted = false }: Column) {
  if (isScreenReaderOnly) return <span className="sr-only">{name}</span>;
  if (!onSort) return <span>{name}</span>;
  const Icon = sorted ? ArrowUp : ArrowUpDown;
  return (
    <>
      {/* On a phone, the button would take the focus where nobody sees it. */}
      <span className="md:hidden">{name}</span>
      <button
        type="button"
        onClick={onSort}
        className="-mx-1.5 inline-flex min-h-6 items-center gap-1 rounded-control px-1.5 hover:bg-hover hover:text-ink max-md:hidden"
      >
        <span>{name}</span>
        <Icon aria-hidden className={cn("size-3.5", sorted ? "text-ink" : "text-ink-3")} />
      </button>
    </>
  );
}

const cell = "px-4 py-3 align-top sm:px-5 sm:align-middle";

/** The first cell of a row, as its heading. */
export function RowHeading({ children }: { children: ReactNode }) {
  return (
    <th scope="row" className={cn(cell, "text-left font-normal")}>
      {children}
    </th>
  );
}

export function Cell({ className, ...rest }: ComponentPropsWithRef<"td">) {
  return <td {...rest} className={cn(cell, className)} />;
}
