import type { DeactivatedKey } from "@agent-marketplace/client/wire/Endpoints"
import type { AccountOverview, AdminAccount, RecoveredAccount } from "@agent-marketplace/client/wire/OperatorEndpoints"
import { Effect, Option } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { accountFields } from "../identity/AccountCommand.ts"
import { issuedKeyFields } from "../identity/KeysCommand.ts"
import type { Page } from "../terminal/CliContext.ts"
import { confirm, yesFlag } from "../terminal/confirm.ts"
import { usdt, when } from "../terminal/format.ts"
import { list, pageFlags } from "../terminal/list.ts"
import { report } from "../terminal/report.ts"
import type { Column } from "../terminal/table.ts"
import { plain } from "../terminal/text.ts"
import { adminSend } from "./adminSend.ts"
import { createAccountCommand } from "./CreateAccountCommand.ts"

const accountPath = (id: string, action = "") => `/api/v1/admin/accounts/${encodeURIComponent(id)}${action}`

const adminAccountFields = (page: Page, account: AdminAccount, more: ReadonlyArray<readonly [string, string]> = []) =>
  accountFields(page, account, [
    ...(account.frozenAt === null ? [] : [["frozen since", when(account.frozenAt)] as const]),
    ...(account.frozenReason === null ? [] : [["reason", account.frozenReason] as const]),
    ...more
  ])

const columns: ReadonlyArray<Column<AdminAccount>> = [
  { title: "ID", value: ({ id }) => id },
  { title: "NAME", value: ({ name }) => name, yields: true },
  { title: "E-MAIL", value: ({ email }) => email ?? "", yields: true },
  { title: "TIER", value: ({ tier }) => tier },
  { title: "SELLS", value: ({ seller }) => (seller ? "yes" : "no") },
  { title: "FROZEN", value: ({ frozenAt }) => when(frozenAt) },
  { title: "SINCE", value: ({ createdAt }) => when(createdAt) }
]

const id = Argument.String("account").pipe(Argument.withDescription("An account's id, usr_…"))

const find = Command.make(
  "find",
  {
    search: Argument.String("text").pipe(
      Argument.withDescription("Part of a name, an e-mail address or an id; default: all accounts"),
      Argument.optional
    ),
    frozen: Flag.Boolean("frozen").pipe(
      Flag.withDescription("Only frozen accounts, or only accounts that are not frozen"),
      Flag.optional
    ),
    ...pageFlags
  },
  ({ frozen, limit, page, search }) =>
    Effect.gen(function* () {
      const query = new URLSearchParams({ page: String(page), limit: String(limit) })
      if (Option.isSome(search)) query.set("search", search.value)
      if (Option.isSome(frozen)) query.set("frozen", String(frozen.value))
      const path = `/api/v1/admin/accounts?${query.toString()}`
      const found = yield* adminSend<ReadonlyArray<AdminAccount>>({ method: "GET", path })
      yield* report(found, (page) => list(page, { rows: found, columns, empty: "No account found." }))
    })
).pipe(Command.withDescription("Find accounts by name, e-mail address or id"))

const show = Command.make("show", { id }, ({ id }) =>
  Effect.gen(function* () {
    const found = yield* adminSend<AccountOverview>({ method: "GET", path: accountPath(id) })
    yield* report(found, (page) =>
      adminAccountFields(page, found.account, [
        ["available", usdt(found.balance.availableBalance)],
        ["locked", usdt(found.balance.lockedBalance)],
        ["keys", String(found.keys.length)],
        ["agents", String(found.agents.length)]
      ])
    )
  })
).pipe(Command.withDescription("Show an account: balance, keys without secrets, agents"))

const freeze = Command.make(
  "freeze",
  { id, reason: Flag.String("reason").pipe(Flag.withDescription("Why, for the account and the action log")) },
  ({ id, reason }) =>
    Effect.gen(function* () {
      const body = { reason }
      const account = yield* adminSend<AdminAccount>({ method: "POST", path: accountPath(id, "/freeze"), body })
      yield* report(account, (page) => adminAccountFields(page, account))
    })
).pipe(Command.withDescription("Stop every write of an account and take its items off sale; it can still read"))

const unfreeze = Command.make("unfreeze", { id }, ({ id }) =>
  Effect.gen(function* () {
    const account = yield* adminSend<AdminAccount>({ method: "POST", path: accountPath(id, "/unfreeze") })
    yield* report(account, (page) => adminAccountFields(page, account))
  })
).pipe(Command.withDescription("Unfreeze an account"))

const recover = Command.make("recover", { id, yes: yesFlag }, ({ id, yes }) =>
  Effect.gen(function* () {
    yield* confirm(`Deactivate every key and session of ${id} and create a new key?`, yes)
    const recovered = yield* adminSend<RecoveredAccount>({
      method: "POST",
      path: accountPath(id, "/recover")
    })
    yield* report(recovered, (page) => issuedKeyFields(page, recovered.apiKey))
  })
).pipe(
  Command.withDescription(
    "Deactivate all keys and sessions of an account and its agents, and show one new FULL key once"
  )
)

const endKey = Command.make(
  "end-key",
  { key: Argument.String("key-id").pipe(Argument.withDescription("A key's id, key_…")) },
  ({ key }) =>
    Effect.gen(function* () {
      const path = `/api/v1/admin/keys/${encodeURIComponent(key)}`
      const ended = yield* adminSend<DeactivatedKey>({ method: "DELETE", path })
      yield* report(ended, () => `${ended.id} is ${ended.status}.`)
    })
).pipe(Command.withDescription("Deactivate any account's key immediately"))

const setTier = Command.make(
  "set-tier",
  {
    id,
    tier: Argument.Literals("tier", ["free", "pro", "enterprise"]).pipe(
      Argument.withDescription("The tier: 100, 1,000, or an unlimited number of requests per hour")
    ),
    hourlyLimit: Flag.Int("hourly-limit").pipe(
      Flag.withDescription("Requests per hour, instead of the tier's limit"),
      Flag.optional
    )
  },
  ({ hourlyLimit, id, tier }) =>
    Effect.gen(function* () {
      const body = { tier, hourlyLimit: Option.getOrUndefined(hourlyLimit) }
      const account = yield* adminSend<AdminAccount>({ method: "PATCH", path: accountPath(id), body })
      yield* report(account, () => `${plain.line(account.name)} (${account.id}) is ${account.tier}.`)
    })
).pipe(Command.withDescription("Set the tier and rate limit of an account"))

/** The operator's commands for accounts (OPERATOR-1). */
export const accountCommands = [
  createAccountCommand,
  setTier,
  Command.make("accounts").pipe(
    Command.withDescription("Find, freeze and recover accounts, deactivate keys"),
    Command.withSubcommands([find, show, freeze, unfreeze, recover, endKey])
  )
] as const
