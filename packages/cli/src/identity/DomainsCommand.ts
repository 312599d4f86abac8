import type { Domain } from "@agent-marketplace/client/wire/Endpoints"
import { Argument, Command } from "effect/cli"
import { callAndReport } from "../terminal/callAndReport.ts"
import type { Page } from "../terminal/CliContext.ts"
import { when } from "../terminal/format.ts"
import { listOf, pageFlags } from "../terminal/list.ts"
import type { Column } from "../terminal/table.ts"
import { fields } from "../terminal/table.ts"

const columns: ReadonlyArray<Column<Domain>> = [
  { title: "DOMAIN", value: ({ domain }) => domain, yields: true },
  { title: "STATUS", value: ({ status }) => status },
  { title: "CHECKED", value: ({ checkedAt }) => when(checkedAt) }
]

const domainText = (page: Page, { checkedAt, domain, problem, status, token }: Domain): string => {
  const facts = fields(page, [
    ["domain", domain],
    ["status", status],
    ["token", token],
    ["checked", when(checkedAt)],
    ["problem", problem]
  ])
  return page.isTerminal && status === "pending"
    ? `${facts}\n\nPublish the token as a TXT record of ${domain}, or in https://${domain}/.well-known/agent-marketplace.txt,\nand run \`agent-marketplace domains verify ${domain}\`.`
    : facts
}

const domain = Argument.String("domain").pipe(Argument.withDescription("A domain name, such as ada.dev"))

const add = Command.make("add", { domain }, (draft) =>
  callAndReport((market, options) => market.domains.add(draft, options), domainText)
).pipe(Command.withDescription("Add a domain, and get the token that it must publish"))

const verify = Command.make("verify", { domain }, ({ domain: name }) =>
  callAndReport((market, options) => market.domains.verify(name, options), domainText)
).pipe(Command.withDescription("Look for the token at the domain now"))

const remove = Command.make("remove", { domain }, ({ domain: name }) =>
  callAndReport(
    (market, options) => market.domains.remove(name, options),
    (_, removed) => `${removed.id} is removed.`
  )
).pipe(Command.withDescription("Remove a domain"))

export const domainsCommand = Command.make("domains", pageFlags, (page) =>
  callAndReport((market, options) => market.domains.list(page, options), listOf(columns, "No domains."))
).pipe(
  Command.withDescription("Domains that prove who the account is. Needs an owner's key"),
  Command.withSubcommands([add, verify, remove])
)
