import { choice, integer } from "@agent-marketplace/core/fields/InputRules"
import type { AgentId } from "@agent-marketplace/core/ids/Ids"
import { EmailAddress } from "@agent-marketplace/core/identity/Account"
import { maxGrace } from "@agent-marketplace/core/identity/makeKeys"
import { boundedText } from "@agent-marketplace/core/text/BoundedText"
import { visibleLine } from "@agent-marketplace/core/text/VisibleLine"
import { Schema } from "effect"
import { ClaimPolicy } from "../approvals/PolicySchemas.ts"
import { withBodyRule } from "../wire/BodyRule.ts"
import { field } from "../wire/Field.ts"
import { clearable, flag, idOf, instant, optional } from "../wire/Input.ts"

const name = visibleLine({ min: 1, max: 100 })

const email = boundedText({ min: 1, max: EmailAddress.maxLength }).check(
  Schema.makeFilter((value) => (EmailAddress.is(value) ? undefined : EmailAddress.rule))
)

const example = { name: "Ada", email: "ada@example.com" } as const

/** The body that creates an account (ACCOUNT-1). */
export const SignUp = Schema.Struct({
  name: field(name, "1 to 100 characters; shown as author and creator.", example.name),
  email: field(optional(email), "An e-mail address; never shown to others.", example.email),
  seller: field(optional(flag), "Whether the account may create listings; false by default.", true)
}).annotate({ identifier: "SignUp", description: "An account to create." })

export const AccountPatch = Schema.Struct({
  name: field(optional(name), "1 to 100 characters.", example.name),
  email: field(clearable(email), "An e-mail address. Null clears it.", example.email),
  seller: field(optional(flag), "Whether the account may create listings.", true)
}).annotate({ identifier: "AccountPatch", description: "The fields to change; absent fields keep their values." })

const quota = clearable(integer(0, 1_000_000_000))

const QuotasPatch = Schema.Struct({
  souls: field(quota, "Souls that are not deleted.", 500),
  listings: field(quota, "Listings that are not deleted.", 500),
  agents: field(quota, "Agents that are not retired.", 50),
  keys: field(quota, "Active keys; those of one family count once.", 100),
  webhooks: field(quota, "Webhooks of the owner and its agents together.", 50),
  releaseBytes: field(clearable(integer(0, 1_000_000_000_000)), "Bytes of releases.", 1_000_000_000)
})

export const AdminAccountPatch = Schema.Struct({
  tier: field(
    optional(choice(["free", "pro", "enterprise"])),
    "Determines how many requests are allowed per hour.",
    "pro"
  ),
  seller: field(optional(flag), "Whether the account may create listings.", true),
  hourlyLimit: field(
    clearable(integer(1, 1_000_000_000)),
    "The number of requests per hour, in place of the tier's. Null: the tier's number applies.",
    5000
  ),
  operator: field(
    optional(flag),
    "Whether the account's sessions may do what the operator's token does. Its API keys may not.",
    true
  ),
  quotas: field(
    optional(QuotasPatch),
    "The quotas of the account, in place of the tier's. Null: the tier's quota applies. Absent quotas keep their values.",
    { souls: 500 }
  )
}).annotate({ identifier: "AdminAccountPatch", description: "The fields to change; absent fields keep their values." })

export const AgentInput = Schema.Struct({
  name: field(name, "1 to 100 characters.", "Shopping agent")
}).annotate({ identifier: "AgentInput", description: "An agent to register." })

export const FreezeInput = Schema.Struct({
  reason: field(optional(boundedText({ min: 1, max: 1000 })), "1 to 1,000 characters.", "It buys what nobody wanted.")
}).annotate({ identifier: "FreezeInput", description: "Why an agent is frozen. The body is optional." })

export const ClaimInput = Schema.Struct({
  claimCode: field(
    boundedText({ min: 1, max: 100 }),
    "The code from the response to the agent's registration.",
    "claim_8k2f0h3m6n7p1r4s5t9v2w3x4y"
  ),
  policy: Schema.optionalKey(ClaimPolicy)
}).annotate({ identifier: "ClaimInput", description: "Which agent to claim." })

export const KeyInput = Schema.Struct({
  name: field(name, "1 to 100 characters; a name that distinguishes the key from others.", "CI"),
  scope: field(
    choice(["READ", "BUYER", "SELLER", "FULL"]).annotateKey({ messageMissingKey: "is required" }),
    "What the key may do: READ reads; BUYER buys; SELLER publishes and sells; FULL does everything.",
    "BUYER"
  ),
  agentId: field(
    optional(idOf<AgentId>()),
    "One of the owner's agents that acts with it.",
    "agt_01j9zq5k2f8h3m6n7p0r4s"
  ),
  expiresAt: field(
    optional(instant),
    "When the key expires: an ISO 8601 instant in the future.",
    "2030-01-01T00:00:00.000Z"
  )
})
  .annotate({ identifier: "KeyInput", description: "A key to create." })
  .pipe(withBodyRule("key"))

export const RotateInput = Schema.Struct({
  graceSeconds: field(
    optional(integer(0, maxGrace)),
    "How long the old key stays valid, in seconds; 86,400 (a day) by default.",
    3600
  )
}).annotate({ identifier: "RotateInput", description: "Options of the rotation. The body is optional." })
