/** How often a log is told, milliseconds; a terminal, where the line is written over, more often. */
const loggedEvery = 5_000;
const shownEvery = 200;

type Stream = { isTTY?: boolean; write: (text: string) => unknown };

export type Progress = {
  report: (done: number, all: number) => void;
  /** Ends the line on a terminal, so that the next one is its own. */
  end: () => void;
};

/** Tells how far something is: one line that changes on a terminal; in a log a line now and then, the first and the last always. */
export function progressOn(stream: Stream, what: string): Progress {
  let reported: { done: number; at: number } | undefined;
  return {
    report: (done, all) => {
      const now = performance.now();
      const isDue =
        !reported ||
        (done !== reported.done &&
          (done >= all || now - reported.at >= (stream.isTTY ? shownEvery : loggedEvery)));
      if (!isDue) return;
      reported = { done, at: now };
      const line = `${number(done)} of ${number(all)} ${what}`;
      stream.write(stream.isTTY ? `\r${line}` : `${line}\n`);
    },
    end: () => {
      if (reported && stream.isTTY) stream.write("\n");
      reported = undefined;
    },
  };
}

function number(value: number): string {
  return value.toLocaleString("en");
}
