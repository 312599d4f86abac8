import type { Installed } from "@agent-marketplace/client/node/Installed"
import { Effect } from "effect"
import { ask } from "../identity/session.ts"
import { fields } from "../terminal/fields.ts"
import type { Page } from "../terminal/Surroundings.ts"

/** What is named by one of the two, and where it goes. */
interface InstallRequest {
  readonly purchaseId?: string
  readonly skillId?: string
  readonly installDir: string
}

/** Fetches what was bought (CLI-6); what fetches it is loaded only now. */
export const install = (request: InstallRequest) =>
  Effect.gen(function* () {
    const { installSkill } = yield* Effect.promise(() => import("@agent-marketplace/client/node/installSkill"))
    return yield* ask((market, { signal }) => installSkill(market, { ...request, signal }))
  })

/** What was installed, a line each. */
export const installedFields = (page: Page, installed: Installed): string =>
  fields(page, [
    ["installed", installed.name],
    ["in", installed.installedPath],
    ["version", installed.version],
    ["sha256", installed.sha256],
    ["license", installed.licenseKey]
  ])
