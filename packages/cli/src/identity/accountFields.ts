import type { Account } from "@agent-marketplace/client/wire/Endpoints"
import { fields } from "../terminal/fields.ts"
import type { Page } from "../terminal/Surroundings.ts"

/** An account, a line each. */
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
