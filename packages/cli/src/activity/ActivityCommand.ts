import type { Activity, ActivityItem } from "@agent-marketplace/client/wire/Endpoints"
import { Effect, Schedule } from "effect"
import { Command, Flag } from "effect/cli"
import { usageFailure } from "../errors/CommandFailure.ts"
import { callPublic } from "../identity/session.ts"
import type { Page } from "../terminal/CliContext.ts"
import { CliContext } from "../terminal/CliContext.ts"
import { when } from "../terminal/format.ts"
import { JsonFlag } from "../terminal/JsonFlag.ts"
import { list } from "../terminal/list.ts"
import { notice, report, safeJson } from "../terminal/report.ts"
import type { Column } from "../terminal/table.ts"
import { switchFlag } from "../terminal/switchFlag.ts"

/** The feed is made for polling every 10 to 30 seconds (FEED-1, CLI-8), at most 60 times a minute. */
const shortestInterval = 10

const columns: ReadonlyArray<Column<ActivityItem>> = [
  { title: "WHEN", value: ({ timestamp }) => when(timestamp) },
  { title: "", value: ({ icon }) => icon },
  { title: "WHAT", value: ({ message }) => message, yields: true },
  { title: "USDT", value: ({ amount }) => amount ?? "", right: true }
]

const statsOf = ({ stats }: Activity): string =>
  `${stats.activeAgents} active now; in 24 hours ${stats.revenueLast24h} USDT in trades: ${stats.tradesLast24h}`

const drawn = (page: Page, activity: Activity): string =>
  list(page, { rows: activity.activities, columns, empty: statsOf(activity), footer: statsOf(activity) })

const home = "\u001B[H\u001B[2J"

/** On a terminal the page is redrawn; otherwise only new items are printed, one line each. */
const refresh = (limit: number, seen: Set<string>) =>
  Effect.gen(function* () {
    const { page, write } = yield* CliContext
    const json = yield* JsonFlag
    const activity = yield* callPublic((market, options) => market.activity.live({ limit }, options))
    if (page.isTerminal && !json) return write(`${home}${drawn(page, activity)}\n`)
    const fresh = activity.activities.filter(({ id }) => !seen.has(id)).toReversed()
    for (const { id } of fresh) seen.add(id)
    if (json) for (const item of fresh) write(`${safeJson(item)}\n`)
    else if (fresh.length > 0) write(`${list(page, { rows: fresh, columns, empty: "" })}\n`)
  })

/** Prints each new item on a line, as the market streams it, until Ctrl-C (LIVE-13). */
const follow = Effect.gen(function* () {
  const { page, write } = yield* CliContext
  const json = yield* JsonFlag
  const print = (item: ActivityItem) =>
    write(json ? `${safeJson(item)}\n` : `${list(page, { rows: [item], columns, empty: "" })}\n`)
  yield* callPublic(async (market, { signal }) => {
    for await (const message of market.activity.stream({ signal }))
      if (message.event === "activity") print(message.item)
  })
})

/** While the market is unavailable the command keeps retrying. */
const live = (limit: number, interval: number) => {
  const seen = new Set<string>()
  const once = refresh(limit, seen).pipe(
    Effect.catchIf(
      ({ statusCode }) => statusCode === 0,
      ({ message }) => notice(`${message}; trying again in ${interval} seconds`)
    )
  )
  return Effect.repeat(once, Schedule.spaced(interval * 1000))
}

export const activityCommand = Command.make(
  "activity",
  {
    limit: Flag.Int("limit").pipe(Flag.withDescription("How many items, 1 to 50"), Flag.withDefault(10)),
    live: switchFlag(
      "live",
      "Continue until Ctrl-C; without a terminal, or with --json, print new items, one line each"
    ),
    follow: switchFlag("follow", "Print each new item when it happens, one line each, until Ctrl-C"),
    interval: Flag.Int("interval").pipe(
      Flag.withDescription("Seconds between two requests, at least 10"),
      Flag.withDefault(15)
    )
  },
  ({ follow: follows, interval, limit, live: goesOn }) =>
    Effect.gen(function* () {
      if (interval < shortestInterval || interval > 3600)
        return yield* usageFailure(`--interval: must be ${shortestInterval} to 3600 seconds`)
      if (limit < 1 || limit > 50) return yield* usageFailure("--limit: must be 1 to 50")
      if (follows) return yield* follow
      if (goesOn) return yield* Effect.asVoid(live(limit, interval))
      const activity = yield* callPublic((market, options) => market.activity.live({ limit }, options))
      return yield* report(activity, (page) => drawn(page, activity))
    })
).pipe(Command.withDescription("Show what happened in the market in the last 24 hours; needs no key"))
