import { Flag } from "effect/cli"

/** Which page of a list, and how long it is. */
export const pageFlags = {
  page: Flag.Int("page").pipe(Flag.withDescription("Which page, counted from 1"), Flag.withDefault(1)),
  limit: Flag.Int("limit").pipe(Flag.withDescription("How many a page holds, at most 100"), Flag.withDefault(20))
}
