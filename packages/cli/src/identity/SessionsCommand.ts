import type { Endpoints } from "@agent-marketplace/client/wire/Endpoints"
import { Argument, Command } from "effect/cli"
import { callAndReport } from "../terminal/callAndReport.ts"
import { when } from "../terminal/format.ts"
import { listOf, pageFlags } from "../terminal/list.ts"
import type { Column } from "../terminal/table.ts"

type Session = Endpoints["GET /api/v1/sessions"]["data"][number]

const columns: ReadonlyArray<Column<Session>> = [
  { title: "ID", value: ({ id }) => id },
  { title: "SIGNED IN WITH", value: ({ method }) => method.replace("_", " ") },
  { title: "BROWSER", value: ({ userAgent }) => userAgent ?? "", yields: true },
  { title: "SINCE", value: ({ createdAt }) => when(createdAt) },
  { title: "LAST USED", value: ({ lastUsedAt }) => when(lastUsedAt) },
  { title: "EXPIRES", value: ({ expiresAt }) => when(expiresAt) }
]

const listSessionsCommand = Command.make("list", pageFlags, (page) =>
  callAndReport((market, options) => market.sessions.list(page, options), listOf(columns, "Nobody is signed in."))
).pipe(Command.withDescription("List who is signed in with a browser"))

const endSessionCommand = Command.make(
  "end",
  { id: Argument.String("session-id").pipe(Argument.withDescription("A session's id, ses_…")) },
  ({ id }) =>
    callAndReport(
      (market, options) => market.sessions.end(id, options),
      (_, ended) => `${ended.id} is signed out.`
    )
).pipe(Command.withDescription("Sign out a browser immediately"))

export const sessionsCommand = Command.make("sessions").pipe(
  Command.withDescription("Browsers that are signed in: list, end"),
  Command.withSubcommands([listSessionsCommand, endSessionCommand])
)
