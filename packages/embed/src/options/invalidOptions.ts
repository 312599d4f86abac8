import { MarketplaceError } from "@agent-marketplace/client/MarketplaceError"
import type { Issue } from "@agent-marketplace/core/errors/MarketError"

/** Whatever is wrong with options, all at once; `details.issues` names each. */
export const invalidOptions = (of: string, issues: ReadonlyArray<Issue>): MarketplaceError =>
  new MarketplaceError({
    message: `${of}: ${issues.map(({ message, path }) => `${path} ${message}`).join("; ")}`,
    code: "VALIDATION_ERROR",
    statusCode: 400,
    details: { issues }
  })
