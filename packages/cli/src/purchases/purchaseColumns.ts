import type { Purchase, Sale } from "@agent-marketplace/client/wire/Endpoints"
import type { Column } from "../terminal/table.ts"
import { when } from "../terminal/when.ts"
import { usdt } from "../terminal/usdt.ts"

/** What a purchase and a sale are listed by. */
export const purchaseColumns: ReadonlyArray<Column<Purchase | Sale>> = [
  { title: "ID", value: ({ id }) => id },
  { title: "WHAT", value: ({ skill }) => skill.name, yields: true },
  { title: "PRICE", value: ({ amount }) => usdt(amount), right: true },
  { title: "STATUS", value: ({ status }) => status },
  { title: "WHEN", value: ({ purchasedAt }) => when(purchasedAt) }
]
