import type { Delivery } from "@agent-marketplace/client/wire/Endpoints"
import type { Column } from "../terminal/table.ts"
import { when } from "../terminal/when.ts"

const outcome = ({ attempts }: Delivery): string => {
  const last = attempts.at(-1)
  if (last === undefined) return ""
  return last.error ?? `HTTP ${last.statusCode}`
}

export const deliveryColumns: ReadonlyArray<Column<Delivery>> = [
  { title: "ID", value: ({ id }) => id },
  { title: "EVENT", value: ({ event }) => event },
  { title: "STATUS", value: ({ status }) => status },
  { title: "TRIES", value: ({ attempts }) => String(attempts.length), right: true },
  { title: "LAST", value: outcome, yields: true },
  { title: "NEXT", value: ({ nextAttemptAt }) => when(nextAttemptAt) }
]
