import type { IssuedKey } from "@agent-marketplace/client/wire/Endpoints"
import { fields } from "../terminal/fields.ts"
import type { Page } from "../terminal/Surroundings.ts"
import { when } from "../terminal/when.ts"

/** A key that was just made: the one time that it is shown. */
export const issuedKeyFields = (page: Page, issued: IssuedKey): string => {
  const facts = fields(page, [
    ["key", issued.key],
    ["id", issued.id],
    ["name", issued.name],
    ["scope", issued.scope],
    ["agent", issued.agentId],
    ["expires", when(issued.expiresAt)]
  ])
  return page.isTerminal ? `${facts}\n\nThe key is shown this once: keep it now.` : facts
}
