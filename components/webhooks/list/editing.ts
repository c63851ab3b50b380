/** Whether, here and now, this person may change webhooks. */
export type Editing =
  | { allowed: true }
  /** Not theirs to do: the buttons are absent, and a note says who can. */
  | { allowed: false; because: "role" }
  /** What is shown may be old: the buttons are off, described by the notice with this id. */
  | { allowed: false; because: "old"; noticeId: string };
