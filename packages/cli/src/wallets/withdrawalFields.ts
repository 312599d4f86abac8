import type { Withdrawal } from "@agent-marketplace/client/wire/Endpoints"
import { fields } from "../terminal/fields.ts"
import type { Page } from "../terminal/Surroundings.ts"
import { usdt } from "../terminal/usdt.ts"

/** A withdrawal, a line each. */
export const withdrawalFields = (page: Page, withdrawal: Withdrawal): string =>
  fields(page, [
    ["withdrawal", withdrawal.id],
    ["amount", usdt(withdrawal.amount)],
    ["fee", usdt(withdrawal.fee)],
    ["in all", usdt(withdrawal.totalAmount)],
    ["to", withdrawal.destinationAddress],
    ["status", withdrawal.status]
  ])
