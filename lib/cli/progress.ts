/** How often to write to a log, milliseconds; to a terminal, which overwrites the line, more often. */
const loggedEvery = 5_000;
const shownEvery = 200;

type Stream = { isTTY?: boolean; write: (text: string) => unknown };

export type Progress = {
  report: (done: number, all: number) => void;
  /** Ends the line on a terminal, so that the next output begins a new one. */
  end: () => void;
};

/**
 * Reports progress: on a terminal one line that changes; in a log a line now and then, always the first and the last.
 */
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
