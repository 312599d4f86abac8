import { boundedText } from "@agent-marketplace/core/text/BoundedText"
import { visibleLine } from "@agent-marketplace/core/text/VisibleLine"
import { Schema } from "effect"
import { field } from "../wire/Field.ts"
import { optional } from "../wire/Input.ts"

const licenseKey = field(
  boundedText({ min: 1, max: 100 }),
  "The license key, which is the secret of this request. Case, hyphens and blanks are ignored.",
  "7K3QX-0M9TB-V2H8D-4RZWN-C6Y1F"
)

const machine = field(
  visibleLine({ min: 1, max: 128 }),
  "What tells one machine from another: a hash that the seller's program makes, 1 to 128 characters.",
  "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"
)

/** The body of an activation (ACTIVATION-1). */
export const ActivationInput = Schema.Struct({
  licenseKey,
  machine,
  label: field(
    optional(visibleLine({ min: 1, max: 100 })),
    "A name for the holder's list of machines, 1 to 100 characters.",
    "Laptop"
  )
}).annotate({ identifier: "ActivationInput", description: "A machine on which a license is to be used." })

export const DeactivationInput = Schema.Struct({ licenseKey, machine }).annotate({
  identifier: "DeactivationInput",
  description: "A machine on which a license is no longer used."
})
