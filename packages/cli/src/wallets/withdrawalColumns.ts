import type { Withdrawal } from "@agent-marketplace/client/wire/Endpoints"
import type { Column } from "../terminal/table.ts"
import { when } from "../terminal/when.ts"
import { usdt } from "../terminal/usdt.ts"

export const withdrawalColumns: ReadonlyArray<Column<Withdrawal>> = [
  { title: "ID", value: ({ id }) => id },
  { title: "AMOUNT", value: ({ amount }) => usdt(amount), right: true },
  { title: "FEE", value: ({ fee }) => usdt(fee), right: true },
  { title: "STATUS", value: ({ status }) => status },
  { title: "TO", value: ({ destinationAddress }) => destinationAddress, yields: true },
  { title: "TRANSACTION", value: ({ txHash }) => txHash ?? "", yields: true },
  { title: "WHEN", value: ({ createdAt }) => when(createdAt) }
]
