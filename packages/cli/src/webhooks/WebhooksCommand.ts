import type { Delivery, Webhook } from "@agent-marketplace/client/wire/Endpoints"
import { Effect, Option } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { usageFailure } from "../errors/CommandFailure.ts"
import { callMarket } from "../identity/session.ts"
import type { Page } from "../terminal/CliContext.ts"
import { when } from "../terminal/format.ts"
import { list, listOf, pageFlags } from "../terminal/list.ts"
import { callAndReport } from "../terminal/callAndReport.ts"
import { report } from "../terminal/report.ts"
import type { Column } from "../terminal/table.ts"
import { fields } from "../terminal/table.ts"
import { changedEventsFlag, eventsFlag, listenCommand } from "./ListenCommand.ts"
import { optionalText } from "../terminal/optionalText.ts"
import { timelineCommand } from "./TimelineCommand.ts"

/** A subscription's id. */
const webhookArgument = Argument.String("webhook").pipe(Argument.withDescription("A subscription's id, whk_…"))

const outcome = ({ attempts }: Delivery): string => {
  const last = attempts.at(-1)
  if (last === undefined) return ""
  return last.error ?? `HTTP ${last.statusCode}`
}

const deliveryColumns: ReadonlyArray<Column<Delivery>> = [
  { title: "ID", value: ({ id }) => id },
  { title: "EVENT", value: ({ event }) => event },
  { title: "STATUS", value: ({ status }) => status },
  { title: "TRIES", value: ({ attempts }) => String(attempts.length), right: true },
  { title: "LAST", value: outcome, yields: true },
  { title: "NEXT", value: ({ nextAttemptAt }) => when(nextAttemptAt) }
]

const columns: ReadonlyArray<Column<Webhook>> = [
  { title: "ID", value: ({ id }) => id },
  { title: "URL", value: ({ url }) => url, yields: true },
  { title: "EVENTS", value: ({ events }) => events.join(", "), yields: true },
  { title: "STATUS", value: ({ status }) => status },
  { title: "SINCE", value: ({ createdAt }) => when(createdAt) }
]

const listWebhooksCommand = Command.make("list", pageFlags, (page) =>
  callAndReport((market, options) => market.webhooks.list(page, options), listOf(columns, "No subscriptions."))
).pipe(Command.withDescription("List the subscriptions"))

const createWebhookCommand = Command.make(
  "create",
  { url: Argument.String("url").pipe(Argument.withDescription("A public HTTPS URL")), events: eventsFlag },
  ({ events, url }) =>
    callAndReport(
      (market, options) => market.webhooks.create({ url, events }, options),
      (page, made) => {
        const facts = fields(page, [
          ["webhook", made.id],
          ["url", made.url],
          ["events", made.events.join(", ")],
          ["secret", made.secret]
        ])
        return page.isTerminal
          ? `${facts}\n\nThe secret is shown only this once: receivers verify deliveries with it.`
          : facts
      }
    )
).pipe(Command.withDescription("Create a subscription; shows its secret once"))

const deleteWebhookCommand = Command.make("delete", { id: webhookArgument }, ({ id }) =>
  callAndReport(
    (market, options) => market.webhooks.delete(id, options),
    (_, deleted) => `${deleted.id} is deleted.`
  )
).pipe(Command.withDescription("Delete a subscription"))

const testWebhookCommand = Command.make("test", { id: webhookArgument }, ({ id }) =>
  callAndReport(
    (market, options) => market.webhooks.test(id, options),
    (page, delivery) => list(page, { rows: [delivery], columns: deliveryColumns, empty: "" })
  )
).pipe(Command.withDescription("Send webhook.test to a subscription now"))

const afterFlag = optionalText("after", "The id of the last delivery of the previous page")

const deliveriesCommand = Command.make(
  "deliveries",
  { id: webhookArgument, limit: pageFlags.limit, after: afterFlag },
  ({ after, id, limit }) =>
    callAndReport(
      (market, options) => market.webhooks.deliveries(id, { limit, cursor: Option.getOrUndefined(after) }, options),
      listOf(deliveryColumns, "No deliveries yet.")
    )
).pipe(Command.withDescription("List the deliveries of a subscription, with the responses"))

const replayCommand = Command.make(
  "replay",
  { id: Argument.String("delivery").pipe(Argument.withDescription("A delivery's id, dlv_…")) },
  ({ id }) =>
    callAndReport(
      (market, options) => market.webhooks.replay(id, options),
      (page, delivery) => list(page, { rows: [delivery], columns: deliveryColumns, empty: "" })
    )
).pipe(Command.withDescription("Send one delivery again"))

const webhookFields = (page: Page, webhook: Webhook): string =>
  fields(page, [
    ["webhook", webhook.id],
    ["url", webhook.url],
    ["events", webhook.events.join(", ")],
    ["status", webhook.status],
    ["since", when(webhook.createdAt)]
  ])

const showWebhookCommand = Command.make("show", { id: webhookArgument }, ({ id }) =>
  callAndReport((market, options) => market.webhooks.get(id, options), webhookFields)
).pipe(Command.withDescription("Show one subscription"))

const updateWebhookCommand = Command.make(
  "update",
  {
    id: webhookArgument,
    url: optionalText("url", "A public HTTPS URL"),
    events: changedEventsFlag,
    status: Flag.Literals("status", ["active", "disabled"]).pipe(
      Flag.withDescription("`active` enables a disabled subscription again"),
      Flag.optional
    )
  },
  ({ events, id, status, url }) =>
    Effect.gen(function* () {
      const patch = { url: Option.getOrUndefined(url), events, status: Option.getOrUndefined(status) }
      if (Object.values(patch).every((value) => value === undefined))
        return yield* usageFailure("no change was specified")
      const webhook = yield* callMarket((market, options) => market.webhooks.update(id, patch, options))
      return yield* report(webhook, (page) => webhookFields(page, webhook))
    })
).pipe(Command.withDescription("Change a subscription's URL, events or status"))

const rotateSecretCommand = Command.make("rotate-secret", { id: webhookArgument }, ({ id }) =>
  callAndReport(
    (market, options) => market.webhooks.rotateSecret(id, options),
    (page, rotated) =>
      fields(page, [
        ["webhook", rotated.id],
        ["secret", rotated.secret]
      ])
  )
).pipe(Command.withDescription("Replace the secret and show the new one once; the old one also signs for 24 hours"))

const recoverCommand = Command.make(
  "recover",
  {
    id: webhookArgument,
    since: Flag.String("since").pipe(Flag.withDescription("The instant from which on, such as 2026-01-15T10:30:00Z"))
  },
  ({ id, since }) =>
    Effect.gen(function* () {
      const { recovered } = yield* callMarket((market, options) => market.webhooks.recover(id, { since }, options))
      yield* report({ id, recovered }, () => `Deliveries that are sent again: ${recovered}.`)
    })
).pipe(Command.withDescription("Send again every event since an instant that was not delivered"))

export const webhooksCommand = Command.make("webhooks").pipe(
  Command.withDescription("Receive events on this machine, or manage webhook subscriptions"),
  Command.withSubcommands([
    listenCommand,
    listWebhooksCommand,
    createWebhookCommand,
    deleteWebhookCommand,
    testWebhookCommand,
    deliveriesCommand,
    timelineCommand,
    replayCommand,
    showWebhookCommand,
    updateWebhookCommand,
    rotateSecretCommand,
    recoverCommand
  ])
)
