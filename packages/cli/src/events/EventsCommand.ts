import type { StreamedEvent, StreamedEventName } from "@agent-marketplace/client/live/streams"
import { webhookEvents } from "@agent-marketplace/core/webhooks/Webhook"
import { Effect, Option } from "effect"
import { Command } from "effect/cli"
import { usageFailure } from "../errors/CommandFailure.ts"
import { callMarket } from "../identity/session.ts"
import { CliContext } from "../terminal/CliContext.ts"
import { JsonFlag } from "../terminal/JsonFlag.ts"
import { optionalText } from "../terminal/optionalText.ts"
import { safeJson } from "../terminal/report.ts"
import { switchFlag } from "../terminal/switchFlag.ts"
import { plain, style } from "../terminal/text.ts"

const isStreamed = (name: string): name is StreamedEventName =>
  name !== "webhook.test" && webhookEvents.some((event) => event === name)

const namesIn = (text: string): ReadonlyArray<string> => text.split(",").map((name) => name.trim())

/** Prints each event on a line; after a break it continues with the next one, until Ctrl-C (LIVE-13). */
const follow = (after: string | undefined, types: ReadonlyArray<StreamedEventName> | undefined) =>
  Effect.gen(function* () {
    const { page, write } = yield* CliContext
    const json = yield* JsonFlag
    const print = (received: StreamedEvent) => {
      const { cursor, data, event, timestamp } = received
      if (json) write(`${safeJson(received)}\n`)
      else if (page.isTerminal)
        write(
          `${style(page, "dim", plain.line(timestamp))}  ${style(page, "bold", plain.line(event))}  ${plain.line(safeJson(data))}\n`
        )
      else write(`${[cursor, timestamp, event, safeJson(data)].map(plain.line).join("\t")}\n`)
    }
    yield* callMarket(async (market, { signal }) => {
      for await (const received of market.events.stream({ after, types, signal })) print(received)
    })
  })

export const eventsCommand = Command.make(
  "events",
  {
    follow: switchFlag("follow", "Print each event when it happens, one line each, until Ctrl-C; required"),
    after: optionalText("after", "The cursor of an event: continue after it instead of now"),
    types: optionalText(
      "types",
      "Only these events, separated by commas, for example purchase.completed,soul.downloaded"
    )
  },
  ({ after, follow: follows, types }) =>
    Effect.gen(function* () {
      if (!follows) return yield* usageFailure("events: --follow is required")
      const names = Option.map(types, namesIn)
      const unknown = Option.getOrElse(names, () => []).find((name) => !isStreamed(name))
      if (unknown !== undefined) return yield* usageFailure(`--types: ${unknown} is not an event that webhooks send`)
      return yield* follow(
        Option.getOrUndefined(after),
        Option.getOrUndefined(Option.map(names, (all) => all.filter(isStreamed)))
      )
    })
).pipe(
  Command.withDescription("Print the account's events while they happen: what its webhooks would get"),
  Command.withExamples([
    { command: "agent-marketplace events --follow --json", description: "One JSON object on each line" },
    { command: "agent-marketplace events --follow --after 1042", description: "Everything since that event" }
  ])
)
