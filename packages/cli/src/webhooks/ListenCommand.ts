import type { WebhookEvent } from "@agent-marketplace/core/webhooks/Webhook"
import { webhookEvents } from "@agent-marketplace/core/webhooks/Webhook"
import { Effect, Option, Queue } from "effect"
import { Command, Flag } from "effect/cli"
import { usageFailure } from "../errors/CommandFailure.ts"
import { callMarket } from "../identity/session.ts"
import { CliContext } from "../terminal/CliContext.ts"
import { JsonFlag } from "../terminal/JsonFlag.ts"
import { notice, safeJson } from "../terminal/report.ts"
import { plain, style } from "../terminal/text.ts"
import type { Received } from "./receiver.ts"
import { receiver } from "./receiver.ts"
import { optionalText } from "../terminal/optionalText.ts"

export type EventName = WebhookEvent | "*"

/** The events; all by default. */
export const eventsFlag = Flag.Literals("event", ["*", ...webhookEvents]).pipe(
  Flag.withDescription("The events to send; may be repeated; default: all"),
  Flag.atLeast(0),
  Flag.map((events): ReadonlyArray<EventName> => (events.length === 0 ? ["*"] : events))
)

/** The events to change to; undefined if none is given. */
export const changedEventsFlag = Flag.Literals("event", ["*", ...webhookEvents]).pipe(
  Flag.withDescription("The events to send from now on; may be repeated"),
  Flag.atLeast(0),
  Flag.map((events): ReadonlyArray<EventName> | undefined => (events.length === 0 ? undefined : events))
)

/** A subscription that is deleted when the command ends (CLI-9). */
const subscription = (url: string, events: ReadonlyArray<EventName>) =>
  Effect.acquireRelease(
    callMarket((market, options) => market.webhooks.create({ url, events }, options)),
    ({ id }) => Effect.ignore(callMarket((market, options) => market.webhooks.delete(id, options)))
  )

/** Prints a delivery. Returns whether it was a valid event. */
const print = (outcome: Received) =>
  Effect.gen(function* () {
    if (!("event" in outcome)) {
      yield* notice(`refused with ${outcome.statusCode}: ${outcome.refused}`)
      return false
    }
    const { page, write } = yield* CliContext
    const { data, event, timestamp } = outcome.event
    if (yield* JsonFlag) write(`${safeJson(outcome.event)}\n`)
    else if (page.isTerminal)
      write(
        `${style(page, "dim", plain.line(timestamp))}  ${style(page, "bold", plain.line(event))}  ${plain.line(safeJson(data))}\n`
      )
    else write(`${[timestamp, event, safeJson(data)].map(plain.line).join("\t")}\n`)
    return true
  })

const flags = {
  port: Flag.Int("port").pipe(Flag.withDescription("The port to listen on; 0 uses a free one"), Flag.withDefault(8787)),
  host: Flag.String("host").pipe(Flag.withDescription("The address to listen on"), Flag.withDefault("127.0.0.1")),
  url: optionalText("url", "The HTTPS URL, for example of a tunnel, at which the market reaches the receiver"),
  events: eventsFlag,
  count: Flag.Int("count").pipe(Flag.withDescription("End after this many events"), Flag.optional)
}

type Wanted = Command.Command.Config.Infer<typeof flags>

const listen = ({ count, events, host, port, url }: Wanted) =>
  Effect.gen(function* () {
    if (port < 0 || port > 65535) return yield* usageFailure("--port: must be 0 to 65535")
    const { env } = yield* CliContext
    let secret = env["MARKETPLACE_WEBHOOK_SECRET"] ?? ""
    const { port: bound, received } = yield* receiver(host, port, () => secret)
    const here = `http://${host}:${bound}/`
    if (secret === "") {
      const made = yield* subscription(
        Option.getOrElse(url, () => here),
        events
      )
      secret = made.secret ?? ""
      yield* notice(`Listening at ${here}, subscribed as ${made.id} until Ctrl-C.`)
    } else yield* notice(`Listening at ${here}, verifying with MARKETPLACE_WEBHOOK_SECRET, until Ctrl-C.`)
    const wanted = Option.getOrElse(count, () => Number.POSITIVE_INFINITY)
    for (let printed = 0; printed < wanted;) if (yield* print(yield* Queue.take(received))) printed += 1
  })

export const listenCommand = Command.make("listen", flags, (wanted) => Effect.scoped(listen(wanted))).pipe(
  Command.withDescription(
    "Receive events on this machine, verify them and print one line each. The subscription lasts as long as the command runs; none is created if MARKETPLACE_WEBHOOK_SECRET is set."
  ),
  Command.withExamples([
    { command: "agent-marketplace webhooks listen", description: "Against a market on this machine" },
    { command: "agent-marketplace webhooks listen --url https://me.tunnel.example", description: "Through a tunnel" }
  ])
)
