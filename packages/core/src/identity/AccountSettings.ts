import type { ActionState } from "../admin/OperatorAction.ts"
import type { Account } from "./Account.ts"

/** What an operator may set on an account, as the log of actions shows it. Name and e-mail address stay out of the log. */
export const settingsOf = ({ hourlyLimit, quotas, seller, tier }: Account): NonNullable<ActionState> => ({
  tier,
  seller,
  hourlyLimit,
  quotas
})
