import type { Grant, OauthClient, RegisteredOauthClient } from "@agent-marketplace/client/wire/Endpoints"
import { Effect, Option } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { callMarket } from "../identity/session.ts"
import { callAndReport } from "../terminal/callAndReport.ts"
import type { Page } from "../terminal/CliContext.ts"
import { confirm, yesFlag } from "../terminal/confirm.ts"
import { when } from "../terminal/format.ts"
import { listOf, pageFlags } from "../terminal/list.ts"
import { optionalText } from "../terminal/optionalText.ts"
import { report } from "../terminal/report.ts"
import type { Column } from "../terminal/table.ts"
import { fields } from "../terminal/table.ts"
import { plain } from "../terminal/text.ts"

const clientColumns: ReadonlyArray<Column<OauthClient>> = [
  { title: "ID", value: ({ client_id }) => client_id },
  { title: "NAME", value: ({ client_name }) => plain.line(client_name), yields: true },
  { title: "SCOPE", value: ({ scope }) => scope },
  { title: "SINCE", value: ({ client_id_issued_at }) => when(new Date(client_id_issued_at * 1000).toISOString()) }
]

const clientFields = (page: Page, client: OauthClient | RegisteredOauthClient): string => {
  const secret = "client_secret" in client ? client.client_secret : undefined
  const facts = fields(page, [
    ["id", client.client_id],
    ["secret", secret ?? null],
    ["name", client.client_name],
    ["redirects", client.redirect_uris.join("\n")],
    ["grants", client.grant_types.join(", ")],
    ["scope", client.scope],
    ["authentication", client.token_endpoint_auth_method]
  ])
  return page.isTerminal && secret !== undefined
    ? `${facts}\n\nThe secret is shown only this once: store it now.`
    : facts
}

const clientId = Argument.String("client").pipe(Argument.withDescription("An application's id, oac_…"))

const showClient = Command.make("show", { id: clientId }, ({ id }) =>
  callAndReport((market, options) => market.oauth.clients.get(id, options), clientFields)
).pipe(Command.withDescription("Show an application that the account registered"))

const createClient = Command.make(
  "create",
  {
    name: Argument.String("name").pipe(Argument.withDescription("The name that people see")),
    redirect: Flag.String("redirect").pipe(
      Flag.withDescription("Where codes are sent; may be repeated"),
      Flag.atLeast(0)
    ),
    scope: optionalText("scope", "What it may ask for, such as 'read buy'; all by default"),
    isPublic: Flag.Boolean("public").pipe(
      Flag.withDescription("The program cannot keep a secret"),
      Flag.withDefault(false)
    ),
    service: Flag.Boolean("service").pipe(
      Flag.withDescription("The program acts for this account with its secret, without a person"),
      Flag.withDefault(false)
    )
  },
  ({ isPublic, name, redirect, scope, service }) =>
    callAndReport(
      (market, options) =>
        market.oauth.clients.create(
          {
            client_name: name,
            redirect_uris: redirect,
            scope: Option.getOrUndefined(scope),
            ...(isPublic ? { token_endpoint_auth_method: "none" as const } : {}),
            ...(service ? { grant_types: ["client_credentials" as const] } : {})
          },
          options
        ),
      clientFields
    )
).pipe(Command.withDescription("Register an application, which can then ask people for access"))

const deleteClient = Command.make("delete", { id: clientId, yes: yesFlag }, ({ id, yes }) =>
  Effect.gen(function* () {
    yield* confirm(`Delete ${id}? All its grants end at once.`, yes)
    const deleted = yield* callMarket((market, options) => market.oauth.clients.delete(id, options))
    yield* report(deleted, () => `${deleted.id} is deleted.`)
  })
).pipe(Command.withDescription("Delete an application and end its access everywhere"))

const clientsCommand = Command.make("clients", pageFlags, (page) =>
  callAndReport(
    (market, options) => market.oauth.clients.list(page, options),
    listOf(clientColumns, "No applications.")
  )
).pipe(
  Command.withDescription("List the applications that the account registered"),
  Command.withSubcommands([showClient, createClient, deleteClient])
)

const grantColumns: ReadonlyArray<Column<Grant>> = [
  { title: "ID", value: ({ id }) => id },
  { title: "APPLICATION", value: ({ client }) => plain.line(client.name), yields: true },
  { title: "SCOPES", value: ({ scopes }) => scopes.join(" ") },
  { title: "AGENT", value: ({ agentId }) => agentId },
  { title: "LAST USED", value: ({ lastUsedAt }) => when(lastUsedAt) }
]

const endGrant = Command.make(
  "end",
  { id: Argument.String("grant").pipe(Argument.withDescription("A grant's id, ogr_…")), yes: yesFlag },
  ({ id, yes }) =>
    Effect.gen(function* () {
      yield* confirm(`End ${id}? The application loses its access at once, and must request it again.`, yes)
      const ended = yield* callMarket((market, options) => market.oauth.grants.end(id, options))
      yield* report(ended, () => `${ended.id} has ended.`)
    })
).pipe(Command.withDescription("End the access of an application at once"))

const grantsCommand = Command.make("grants", pageFlags, (page) =>
  callAndReport((market, options) => market.oauth.grants.list(page, options), listOf(grantColumns, "No grants."))
).pipe(
  Command.withDescription("List the account's grants to applications; the policy of each agent contains its limits"),
  Command.withSubcommands([endGrant])
)

export const oauthCommand = Command.make("oauth").pipe(
  Command.withDescription("Applications with access by OAuth"),
  Command.withSubcommands([clientsCommand, grantsCommand])
)
