import { Effect, Option, Queue } from "effect"
import { Command, Flag } from "effect/cli"
import { usageFailure } from "../errors/usageFailure.ts"
import { ask } from "../identity/session.ts"
import { JsonFlag } from "../terminal/JsonFlag.ts"
import { notice } from "../terminal/notice.ts"
import { plain } from "../terminal/plain.ts"
import { safeJson } from "../terminal/safeJson.ts"
import { style } from "../terminal/style.ts"
import { Surroundings } from "../terminal/Surroundings.ts"
import type { EventName } from "./eventsFlag.ts"
import { eventsFlag } from "./eventsFlag.ts"
import type { Received } from "./receiver.ts"
import { receiver } from "./receiver.ts"

/** A subscription that ends with the command (CLI-9). */
const subscription = (url: string, events: ReadonlyArray<EventName>) =>
  Effect.acquireRelease(
    ask((market, options) => market.webhooks.create({ url, events }, options)),
    ({ id }) => Effect.ignore(ask((market, options) => market.webhooks.delete(id, options)))
  )

/** Prints what came in; whether it was an event. */
const tell = (outcome: Received) =>
  Effect.gen(function* () {
    if (!("event" in outcome)) {
      yield* notice(`refused with ${outcome.statusCode}: ${outcome.refused}`)
      return false
    }
    const { page, write } = yield* Surroundings
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
  port: Flag.Int("port").pipe(Flag.withDescription("Where to listen; 0 takes a free port"), Flag.withDefault(8787)),
  host: Flag.String("host").pipe(Flag.withDescription("The address to listen on"), Flag.withDefault("127.0.0.1")),
  url: Flag.String("url").pipe(
    Flag.withDescription("The HTTPS URL, of a tunnel for instance, under which the market reaches the receiver"),
    Flag.optional
  ),
  events: eventsFlag,
  count: Flag.Int("count").pipe(Flag.withDescription("End after so many events"), Flag.optional)
}

type Wanted = Command.Command.Config.Infer<typeof flags>

const listen = ({ count, events, host, port, url }: Wanted) =>
  Effect.gen(function* () {
    if (port < 0 || port > 65535) return yield* usageFailure("--port: must be 0 to 65535")
    const { env } = yield* Surroundings
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
    for (let told = 0; told < wanted;) if (yield* tell(yield* Queue.take(received))) told += 1
  })

export const listenCommand = Command.make("listen", flags, (wanted) => Effect.scoped(listen(wanted))).pipe(
  Command.withDescription(
    "Receive events here: verifies and prints each, a line each. Subscribes for as long as it runs, unless MARKETPLACE_WEBHOOK_SECRET is set."
  ),
  Command.withExamples([
    { command: "agent-marketplace webhooks listen", description: "Against a market on this machine" },
    { command: "agent-marketplace webhooks listen --url https://me.tunnel.example", description: "Through a tunnel" }
  ])
)
