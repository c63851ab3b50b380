import { cn } from "@/components/ui/cn";
import { addressParts } from "@/lib/webhooks/model/address-parts";
import type { ChangedPart } from "@/lib/webhooks/model/compare";
import { Fragment } from "react";

type AddressProps = {
  url: string;
  /** The part that differs from the other address of a comparison. */
  part?: ChangedPart | null | undefined;
  /** The background is coloured, so only weight marks the parts. */
  coloured?: boolean;
};

/**
 * Shows an address. People compare it by eye, so it is never cut, and the host, which receives the messages, stands
 * out, and never translated. It breaks at slashes; a <wbr> adds nothing to copied text.
 */
export function Address({ url, part, coloured = false }: AddressProps) {
  return (
    <span translate="no" className="font-mono [overflow-wrap:anywhere]">
      {addressParts(url, part ?? undefined).map(({ text, isHost, isChanged, mayBreak }, at) => (
        <Fragment key={at}>
          {mayBreak ? <wbr /> : null}
          {isHost || isChanged ? (
            <strong
              className={cn(
                isHost ? "font-semibold" : "font-normal",
                isHost && !coloured && "text-ink",
                isChanged && "underline decoration-1 underline-offset-3",
              )}
            >
              {text}
            </strong>
          ) : (
            <span>{text}</span>
          )}
        </Fragment>
      ))}
    </span>
  );
}

/** Shows a host, with its port. It breaks at its dots; a <wbr> adds nothing to copied text. */
export function Host({ host, className }: { host: string; className: string }) {
  return (
    <span translate="no" className={cn("font-mono [overflow-wrap:anywhere]", className)}>
      {host.split(/(?<=\.)/).map((label, index) => (
        <Fragment key={index}>
          {index > 0 ? <wbr /> : null}
          <span>{label}</span>
        </Fragment>
      ))}
    </span>
  );
}
