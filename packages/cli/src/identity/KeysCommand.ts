import type { IssuedKey, Key } from "@agent-marketplace/client/wire/Endpoints"
import { Effect, Option } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { usageFailure } from "../errors/CommandFailure.ts"
import type { Page } from "../terminal/CliContext.ts"
import { when } from "../terminal/format.ts"
import { listOf, pageFlags } from "../terminal/list.ts"
import { callAndReport } from "../terminal/callAndReport.ts"
import { report } from "../terminal/report.ts"
import type { Column } from "../terminal/table.ts"
import { fields } from "../terminal/table.ts"
import { keyFile } from "./keyFile.ts"
import { callMarket, session } from "./session.ts"
import { optionalText } from "../terminal/optionalText.ts"
import { switchFlag } from "../terminal/switchFlag.ts"

/** The grace period of the old key. */
const graceFlag = Flag.Int("grace-seconds").pipe(
  Flag.withDescription("How long the old key remains valid, at most 604800"),
  Flag.withDefault(86_400)
)

/** The id of a key. It is not secret. */
const keyArgument = Argument.String("key-id").pipe(Argument.withDescription("A key's id, key_…"))

/** A new key. It is shown only this once. */
export const issuedKeyFields = (page: Page, issued: IssuedKey): string => {
  const facts = fields(page, [
    ["key", issued.key],
    ["id", issued.id],
    ["name", issued.name],
    ["scope", issued.scope],
    ["agent", issued.agentId],
    ["expires", when(issued.expiresAt)]
  ])
  return page.isTerminal ? `${facts}\n\nThe key is shown only this once: store it now.` : facts
}

const columns: ReadonlyArray<Column<Key>> = [
  { title: "ID", value: ({ id }) => id },
  { title: "NAME", value: ({ name }) => name, yields: true },
  { title: "SCOPE", value: ({ scope }) => scope },
  { title: "PREFIX", value: ({ prefix }) => prefix },
  { title: "STATUS", value: ({ status }) => status },
  { title: "AGENT", value: ({ agentId }) => agentId ?? "" },
  { title: "LAST USED", value: ({ lastUsedAt }) => when(lastUsedAt) },
  { title: "EXPIRES", value: ({ expiresAt }) => when(expiresAt) }
]

const listKeysCommand = Command.make("list", pageFlags, (page) =>
  callAndReport((market, options) => market.keys.list(page, options), listOf(columns, "No keys."))
).pipe(Command.withDescription("List the account's keys, without their secrets"))

const createKeyCommand = Command.make(
  "create",
  {
    name: Flag.String("name").pipe(Flag.withDescription("A name for the key")),
    scope: Flag.Literals("scope", ["READ", "BUYER", "SELLER", "FULL"]).pipe(
      Flag.withDescription("READ reads, BUYER buys, SELLER publishes and sells, FULL does everything")
    ),
    agent: optionalText("agent", "The id of the agent that uses it"),
    expires: optionalText("expires", "When it expires, such as 2026-01-31T00:00:00Z")
  },
  ({ agent, expires, name, scope }) =>
    Effect.gen(function* () {
      const input = { name, scope, agentId: Option.getOrUndefined(agent), expiresAt: Option.getOrUndefined(expires) }
      const issued = yield* callMarket((market, options) => market.keys.create(input, options))
      yield* report(issued, (page) => issuedKeyFields(page, issued))
    })
).pipe(Command.withDescription("Create a key and show it once. Needs an owner's FULL key"))

const rotateKeyCommand = Command.make("rotate", { id: keyArgument, graceSeconds: graceFlag }, ({ graceSeconds, id }) =>
  callAndReport((market, options) => market.keys.rotate(id, { graceSeconds }, options), issuedKeyFields)
).pipe(Command.withDescription("Replace a key with a new one and show it once"))

const refreshKeyCommand = Command.make("refresh", { graceSeconds: graceFlag }, ({ graceSeconds }) =>
  Effect.gen(function* () {
    const { baseUrl, source } = yield* session
    if (source === "environment")
      return yield* usageFailure(
        "the key comes from MARKETPLACE_API_KEY, which this command cannot change",
        "`agent-marketplace keys rotate` creates a new key and shows it."
      )
    if (source === "browser")
      return yield* usageFailure("this login has no API key: its tokens are refreshed by themselves")
    const { key, ...record } = yield* callMarket((market, options) => market.keys.refresh({ graceSeconds }, options))
    yield* keyFile.change(({ markets, ...kept }) => ({ ...kept, markets: { ...markets, [baseUrl]: { apiKey: key } } }))
    return yield* report(record, () => `The key for ${baseUrl} is now ${record.id}.`)
  })
).pipe(Command.withDescription("Replace the stored key with a new one"))

const deactivateKeyCommand = Command.make(
  "deactivate",
  {
    id: keyArgument,
    family: switchFlag("family", "Also every key created from the same first key by rotation or refresh")
  },
  ({ family, id }) =>
    callAndReport(
      (market, options) => (family ? market.keys.deactivateFamily(id, options) : market.keys.deactivate(id, options)),
      (_, ended) => `${ended.id}${family ? " and its family are" : " is"} ${ended.status}.`
    )
).pipe(Command.withDescription("Deactivate a key immediately"))

const showKeyCommand = Command.make("show", { id: keyArgument }, ({ id }) =>
  callAndReport(
    (market, options) => market.keys.get(id, options),
    (page, key) =>
      fields(page, [
        ["key", key.id],
        ["name", key.name],
        ["scope", key.scope],
        ["status", key.status],
        ["agent", key.agentId],
        ["last used", when(key.lastUsedAt)],
        ["expires", when(key.expiresAt)],
        ["rotation due", when(key.rotationDueAt)],
        ["replaced", key.rotatedFrom]
      ])
  )
).pipe(Command.withDescription("Show a key, without its secret"))

export const keysCommand = Command.make("keys").pipe(
  Command.withDescription("API keys: list, create, rotate, deactivate"),
  Command.withSubcommands([
    listKeysCommand,
    showKeyCommand,
    createKeyCommand,
    rotateKeyCommand,
    refreshKeyCommand,
    deactivateKeyCommand
  ])
)
