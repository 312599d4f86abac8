import type { Withdrawal } from "@agent-marketplace/client/wire/Endpoints"
import { fields } from "../terminal/fields.ts"
import type { Page } from "../terminal/Surroundings.ts"

/** A withdrawal, a line each. */
export const withdrawalFields = (page: Page, withdrawal: Withdrawal): string =>
  fields(page, [
    ["withdrawal", withdrawal.id],
    ["amount", `${withdrawal.amount} ${withdrawal.currency}`],
    ["fee", `${withdrawal.fee} ${withdrawal.currency}`],
    ["in all", `${withdrawal.totalAmount} ${withdrawal.currency}`],
    ["to", withdrawal.destinationAddress],
    ["status", withdrawal.status]
  ])
