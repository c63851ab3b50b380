/** Gancho's logo, a hook. public/icons and public/favicon.ico have the same drawing: change all. */
export function Mark() {
  return (
    <svg viewBox="0 0 24 24" aria-hidden className="size-6 shrink-0">
      <rect width="24" height="24" rx="6" className="fill-brand" />
      <g
        className="fill-none stroke-brand-ink"
        strokeWidth="1.9"
        strokeLinecap="round"
        strokeLinejoin="round"
      >
        <circle cx="15" cy="6" r="1.8" />
        <path d="M15 8v6.25a4.25 4.25 0 0 1-8.5 0v-3" />
        <path d="m6.5 11.25 2.25 2.25" />
      </g>
    </svg>
  );
}
