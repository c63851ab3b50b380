import { cn } from "@/components/ui/cn";
import { addressParts } from "@/lib/webhooks/model/address-parts";
import type { ChangedPart } from "@/lib/webhooks/model/compare";
import { Fragment } from "react";

type AddressProps = {
  url: string;
  /** The parts that differ from the other address of the comparison. */
  part?: ChangedPart | null | undefined;
  /** It stands on a coloured background, and differs by weight alone. */
  coloured?: boolean;
};

/**
 * An address, wherever one is shown: people compare it by eye, so it is there in full and the host, which receives the
 * messages, stands out. It breaks at a slash where it can, without characters that copying would include.
 */
export function Address({ url, part, coloured = false }: AddressProps) {
  return (
    <span className="font-mono [overflow-wrap:anywhere]">
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
            text
          )}
        </Fragment>
      ))}
    </span>
  );
}
