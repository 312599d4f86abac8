import type { ChannelInput, NotificationChannel, NotificationSettings } from "@agent-marketplace/client/wire/Endpoints"
import { Option } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { callAndReport } from "../terminal/callAndReport.ts"
import type { Page } from "../terminal/CliContext.ts"
import { when } from "../terminal/format.ts"
import { listOf, pageFlags } from "../terminal/list.ts"
import { optionalText } from "../terminal/optionalText.ts"
import type { Column } from "../terminal/table.ts"
import { fields } from "../terminal/table.ts"

type Kind = keyof NotificationSettings["preferences"]

const kinds: ReadonlyArray<Kind> = [
  "approval",
  "limit",
  "agent_frozen",
  "deposit",
  "withdrawal",
  "sale",
  "review",
  "advisory",
  "key_rotation"
]

const onOff = (on: boolean): string => (on ? "on" : "off")

const settingsText = (page: Page, { preferences }: NotificationSettings): string =>
  fields(
    page,
    kinds.map((kind) => [kind, onOff(preferences[kind])])
  )

const stateOf = ({ enabled, verified }: NotificationChannel): string => (verified ? onOff(enabled) : "unconfirmed")

const channelText = (page: Page, channel: NotificationChannel): string => {
  const facts = fields(page, [
    ["id", channel.id],
    ["kind", channel.kind],
    ["to", channel.label],
    ["state", stateOf(channel)],
    ["digest", channel.digest],
    ["last sent", when(channel.lastSentAt)],
    ["problem", channel.problem]
  ])
  return page.isTerminal && !channel.verified
    ? `${facts}\n\nRun \`agent-marketplace notifications verify ${channel.id} <code>\` with the code in the e-mail.`
    : facts
}

const columns: ReadonlyArray<Column<NotificationChannel>> = [
  { title: "ID", value: ({ id }) => id },
  { title: "KIND", value: ({ kind }) => kind },
  { title: "TO", value: ({ label }) => label, yields: true },
  { title: "STATE", value: stateOf },
  { title: "DIGEST", value: ({ digest }) => digest },
  { title: "LAST SENT", value: ({ lastSentAt }) => when(lastSentAt) }
]

const id = Argument.String("id").pipe(Argument.withDescription("A channel, nch_…"))

const kind = Argument.Literals("kind", kinds).pipe(Argument.withDescription("What it is about"))

/** Turns one kind on or off. The others keep their values. */
const turn = (on: boolean) =>
  Command.make(onOff(on), { kind }, (given) =>
    callAndReport(async (market, options) => {
      const { preferences } = await market.notifications.get(options)
      return market.notifications.set({ preferences: { ...preferences, [given.kind]: on } }, options)
    }, settingsText)
  ).pipe(Command.withDescription(`Turn a kind of notifications ${onOff(on)}`))

const digest = Flag.Literals("digest", ["none", "hourly", "daily"]).pipe(
  Flag.withDescription("When notifications other than approvals are sent: each at once, or together"),
  Flag.optional
)

const channels = Command.make("channels", pageFlags, (page) =>
  callAndReport((market, options) => market.notifications.channels.list(page, options), listOf(columns, "No channels."))
).pipe(Command.withDescription("List the channels"))

const target = {
  address: optionalText("address", "For email: the address"),
  url: optionalText("url", "For slack, discord and telegram: the URL of the webhook, or of the bot's sendMessage"),
  "chat-id": optionalText("chat-id", "For telegram: the chat"),
  endpoint: optionalText("endpoint", "For push: the subscription's endpoint"),
  p256dh: optionalText("p256dh", "For push: the subscription's public key"),
  auth: optionalText("auth", "For push: the subscription's secret")
}

const add = Command.make(
  "add",
  {
    kind: Argument.Literals("kind", ["email", "push", "slack", "telegram", "discord"]).pipe(
      Argument.withDescription("Where the messages go")
    ),
    digest,
    ...target
  },
  ({ "chat-id": chatId, kind: to, ...given }) => {
    const texts = Object.entries({ ...given, chatId }).flatMap(([name, value]) =>
      Option.isSome(value) ? [[name, value.value]] : []
    )
    const input = { kind: to, ...Object.fromEntries(texts) } as ChannelInput
    return callAndReport((market, options) => market.notifications.channels.add(input, options), channelText)
  }
).pipe(Command.withDescription("Add a channel"))

const verify = Command.make(
  "verify",
  { id, code: Argument.String("code").pipe(Argument.withDescription("The code in the e-mail")) },
  ({ code, id: channel }) =>
    callAndReport((market, options) => market.notifications.channels.verify(channel, { code }, options), channelText)
).pipe(Command.withDescription("Confirm an e-mail address"))

const sendCode = Command.make("send-code", { id }, ({ id: channel }) =>
  callAndReport((market, options) => market.notifications.channels.sendCode(channel, options), channelText)
).pipe(Command.withDescription("Send a new confirmation code"))

const test = Command.make("test", { id }, ({ id: channel }) =>
  callAndReport(
    (market, options) => market.notifications.channels.test(channel, options),
    (_, { problem }) => (problem === null ? "The message was accepted." : `The message was not accepted: ${problem}.`)
  )
).pipe(Command.withDescription("Send a test message"))

const enabled = Flag.Literals("state", ["on", "off"]).pipe(
  Flag.withDescription("Whether messages are sent"),
  Flag.optional
)

const change = Command.make("change", { id, digest, state: enabled }, ({ digest: when_, id: channel, state }) => {
  const changes = {
    ...(Option.isSome(when_) ? { digest: when_.value } : {}),
    ...(Option.isSome(state) ? { enabled: state.value === "on" } : {})
  }
  return callAndReport(
    (market, options) => market.notifications.channels.update(channel, changes, options),
    channelText
  )
}).pipe(Command.withDescription("Turn a channel on or off, or change its digest"))

const remove = Command.make("remove", { id }, ({ id: channel }) =>
  callAndReport(
    (market, options) => market.notifications.channels.remove(channel, options),
    (_, removed) => `${removed.id} is removed.`
  )
).pipe(Command.withDescription("Remove a channel"))

const pushKey = Command.make("push-key", {}, () =>
  callAndReport(
    (market, options) => market.notifications.pushKey(options),
    (_, { publicKey }) => publicKey ?? "This market sends no push messages."
  )
).pipe(Command.withDescription("Show the key with which browsers subscribe to push messages"))

/** The preferences and channels of the account (NOTIFY-18). */
export const notificationsCommand = Command.make("notifications", {}, () =>
  callAndReport((market, options) => market.notifications.get(options), settingsText)
).pipe(
  Command.withDescription("What you are notified of, and where. Needs an owner's key"),
  Command.withSubcommands([turn(true), turn(false), channels, add, verify, sendCode, test, change, remove, pushKey])
)
