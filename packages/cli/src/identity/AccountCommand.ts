import type { Account, QuotaUse } from "@agent-marketplace/client/wire/Endpoints"
import { Effect, Option } from "effect"
import { Command, Flag } from "effect/cli"
import { usageFailure } from "../errors/CommandFailure.ts"
import type { Page } from "../terminal/CliContext.ts"
import { confirm, yesFlag } from "../terminal/confirm.ts"
import { when } from "../terminal/format.ts"
import { callAndReport } from "../terminal/callAndReport.ts"
import { report, safeJson } from "../terminal/report.ts"
import { fields } from "../terminal/table.ts"
import { callMarket, session } from "./session.ts"
import type { KeySource } from "./session.ts"
import { optionalText } from "../terminal/optionalText.ts"

/** The fields of an account. */
export const accountFields = (
  page: Page,
  account: Account,
  more: ReadonlyArray<readonly [string, string]> = []
): string =>
  fields(page, [
    ["account", account.id],
    ["name", account.name],
    ["e-mail", account.email],
    ["sells", account.seller ? "yes" : "no"],
    ["tier", account.tier],
    ...more
  ])

const whoami = Effect.gen(function* () {
  const { baseUrl, scopes, source } = yield* session
  const account = yield* callMarket((market, options) => market.account.get(options))
  const from: Readonly<Record<KeySource, string>> = {
    environment: "MARKETPLACE_API_KEY",
    login: "stored by login",
    browser: `a login with the browser; this machine acts as an agent that may ${scopes?.join(", ")}`
  }
  yield* report({ baseUrl, keySource: source, scopes, account }, (page) =>
    accountFields(page, account, [
      ["market", baseUrl],
      ["key", from[source]]
    ])
  )
})

export const whoamiCommand = Command.make("whoami", {}, () => whoami).pipe(
  Command.withDescription("Show the account of the key, and where the key is stored")
)

const update = Command.make(
  "update",
  {
    name: optionalText("name", "Shown as author and creator"),
    email: optionalText("email", "Never shown to others"),
    seller: Flag.Boolean("seller").pipe(Flag.withDescription("Whether the account sells"), Flag.optional)
  },
  ({ email, name, seller }) =>
    Effect.gen(function* () {
      const patch = {
        name: Option.getOrUndefined(name),
        email: Option.getOrUndefined(email),
        seller: Option.getOrUndefined(seller)
      }
      if (Object.values(patch).every((value) => value === undefined))
        return yield* usageFailure("no change was specified")
      const account = yield* callMarket((market, options) => market.account.update(patch, options))
      return yield* report(account, (page) => accountFields(page, account))
    })
).pipe(Command.withDescription("Change the account's name, e-mail address or seller status"))

const limited = ({ limit, used }: QuotaUse): string => (limit === null ? `${used}` : `${used} of ${limit}`)

const usage = Command.make("usage", {}, () =>
  Effect.gen(function* () {
    const { hourly, quotas, tier } = yield* callMarket((market, options) => market.account.usage(options))
    yield* report({ tier, hourly, quotas }, (page) =>
      fields(page, [
        ["tier", tier],
        ["requests this hour", limited(hourly)],
        ["next hour", when(hourly.resetAt)],
        ["SOULs", limited(quotas.souls)],
        ["skills", limited(quotas.listings)],
        ["agents", limited(quotas.agents)],
        ["keys", limited(quotas.keys)],
        ["webhooks", limited(quotas.webhooks)],
        ["bytes of releases", limited(quotas.releaseBytes)]
      ])
    )
  })
).pipe(Command.withDescription("Show what the tier allows and what is used"))

/** In milliseconds: the export of a large account takes minutes. */
const exportTimeout = 600_000

const exportAccount = Command.make("export", {}, () =>
  callAndReport(
    (market, options) => market.account.export({ ...options, timeout: exportTimeout }),
    (_, all) => safeJson(all, 2)
  )
).pipe(Command.withDescription("Print everything that the account has as JSON, without secrets"))

const erase = Command.make("erase", { yes: yesFlag }, ({ yes }) =>
  Effect.gen(function* () {
    const account = yield* callMarket((market, options) => market.account.get(options))
    yield* confirm(`Erase the account ${account.name} (${account.id}) for good?`, yes)
    const erased = yield* callMarket((market, options) => market.account.erase(options))
    return yield* report(erased, (page) => fields(page, [["erased", erased.id]]))
  })
).pipe(Command.withDescription("Erase the account for good; refused while money is left in its wallet"))

export const accountCommand = Command.make("account").pipe(
  Command.withDescription("The account of the key"),
  Command.withSubcommands([update, usage, exportAccount, erase])
)
