/** Head and cells of the two tables alike. On a phone only the first and the last column stand side by side. */
export const headCell =
  "px-4 py-2.5 text-left text-small font-medium whitespace-nowrap text-ink-2 sm:px-5";
export const bodyCell = "px-4 py-3 align-top sm:px-5 sm:align-middle";
