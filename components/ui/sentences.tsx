import { Children, type ReactNode } from "react";

/** What a slot beside text takes: elements, and never text of their own. See docs/decisions/layout.md. */
export type Elements = React.ReactElement | readonly Elements[] | false | null | undefined;

type SentencesProps = {
  /** Texts, or what `t.rich` returns; null where a sentence is not there. */
  of: readonly ReactNode[];
};

/** Sentences after each other, with each text in an element of its own. */
export function Sentences({ of }: SentencesProps) {
  return of.map((sentence, index) =>
    sentence === null ? null : <span key={index}>{Children.map([sentence, " "], inElement)}</span>,
  );
}

function inElement(part: ReactNode) {
  return typeof part === "string" ? <span>{part}</span> : part;
}
