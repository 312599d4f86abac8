import type { ItemId } from "@agent-marketplace/core/ids/Ids"
import { boundedText } from "@agent-marketplace/core/text/BoundedText"
import { Schema } from "effect"
import { field } from "../wire/Field.ts"
import { flag, idOf, optional } from "../wire/Input.ts"

const skillId = idOf<ItemId>()

/** The body of a buy (BUY-1). `autoInstall` is the client's: the server accepts it and does nothing with it (BUY-18). */
export const BuyInput = Schema.Struct({
  skillId: field(
    skillId.annotateKey({ messageMissingKey: "is required" }),
    "The id of a skill or a soul.",
    "lst_01j9zq5k2f8h3m6n7p0r4s"
  ),
  autoInstall: field(optional(flag), "Whether the client installs it at once; false where absent.", false)
}).annotate({ identifier: "BuyInput", description: "What to buy." })

export const LicenseInput = Schema.Struct({
  licenseKey: field(
    boundedText({ min: 1, max: 100 }),
    "The license as it was typed: case, hyphens and blanks do not matter.",
    "7K3QX-0M9TB-V2H8D-4RZWN-C6Y1F"
  ),
  skillId: field(optional(skillId), "Only a license for this item is valid.", "lst_01j9zq5k2f8h3m6n7p0r4s")
}).annotate({ identifier: "LicenseInput", description: "A license to look up." })
