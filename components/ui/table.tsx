import type { ComponentPropsWithRef, ReactNode } from "react";
import { cn } from "./cn";

type Column = {
  name: string;
  /** For assistive technology alone. */
  isScreenReaderOnly?: boolean;
  /** The screens on which it is left out; the cells of the column have the same. */
  className?: string;
};

type TableProps = {
  caption?: string;
  columns: readonly Column[];
  /** On a phone the columns' names go without saying. */
  bareOnPhone?: boolean;
  children: ReactNode;
};

/** A table in a card, for a few lines. */
export function Table({ caption, columns, bareOnPhone = false, children }: TableProps) {
  return (
    <div className="min-w-0 rounded-card border border-line bg-surface shadow-card">
      <table className="w-full">
        {caption === undefined ? null : <caption className="sr-only">{caption}</caption>}
        <thead className={cn("border-b border-line bg-sunken", bareOnPhone && "max-sm:sr-only")}>
          <tr>
            {columns.map(({ name, isScreenReaderOnly, className }) => (
              <th
                key={name}
                scope="col"
                className={cn(
                  "px-4 py-2.5 text-left text-small font-medium whitespace-nowrap text-ink-2 first:rounded-tl-card last:rounded-tr-card sm:px-5",
                  className,
                )}
              >
                {isScreenReaderOnly ? <span className="sr-only">{name}</span> : name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody className="divide-y divide-line">{children}</tbody>
      </table>
    </div>
  );
}

const cell = "px-4 py-3 align-top sm:px-5 sm:align-middle";

/** The first cell of a line: its heading. */
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
