/** For spenders with many payments: the sums of the day, week and month before a moment. The rows may be deleted at any time. */
export const spentWindows: ReadonlyArray<string> = [
  `CREATE TABLE spent_windows (
    subject_id text PRIMARY KEY,
    window_days int NOT NULL,
    until timestamptz NOT NULL,
    day bigint NOT NULL,
    week bigint NOT NULL,
    month bigint NOT NULL
  ) WITH (fillfactor = 50)`
]
