import { Schema } from "effect"
import { field } from "../wire/Field.ts"
import { ResponseField } from "../wire/ResponseField.ts"

const tiers = ["free", "pro", "enterprise"] as const
const scopes = ["READ", "BUYER", "SELLER", "FULL"] as const

const frozenFields = {
  frozenAt: ResponseField.timeOrNull("Since when it reads and changes nothing; null unless it is frozen.", null),
  frozenReason: ResponseField.textOrNull("Why, where a reason was given.", null)
}

const accountFields = {
  id: ResponseField.text("Prefix `usr_`.", "usr_01j9zq5k2f8h3m6n7p0r4s"),
  name: ResponseField.text("Shown as author and creator.", "Ada"),
  email: ResponseField.textOrNull("Never shown to others.", "ada@example.com"),
  seller: ResponseField.flag("Whether the account may create listings.", true),
  tier: ResponseField.choice(tiers, "Decides how many requests an hour may hold.", "free"),
  createdAt: ResponseField.time("When the account was made.")
}

/** An account as its owner sees it (ACCOUNT-2). */
export const Account = Schema.Struct(accountFields).annotate({
  identifier: "Account",
  description: "Who owns wallets, agents, keys and items."
})

/** An account as the operator sees it (OPERATOR-5). */
export const AdminAccount = Schema.Struct({
  ...accountFields,
  hourlyLimit: ResponseField.numberOrNull(
    "Requests per hour where the operator set a number; null follows the tier.",
    null
  ),
  quotas: field(
    Schema.Record(Schema.String, Schema.Finite),
    "The quotas that the operator set; what is missing follows the tier.",
    { souls: 500 }
  ),
  ...frozenFields
}).annotate({ identifier: "AdminAccount", description: "An account as an operator sees it." })

export const Agent = Schema.Struct({
  id: ResponseField.text("Prefix `agt_`.", "agt_01j9zq5k2f8h3m6n7p0r4s"),
  name: ResponseField.text("What the agent is called.", "Shopping agent"),
  claimed: ResponseField.flag("Whether it has an owner.", false),
  createdAt: ResponseField.time("When it was registered."),
  ...frozenFields,
  retiredAt: ResponseField.timeOrNull("Since when its keys are ended for good; null while it acts.", null)
}).annotate({ identifier: "Agent", description: "A program that acts with a key of its own." })

const keyFields = {
  id: ResponseField.text("Prefix `key_`.", "key_01j9zq5k2f8h3m6n7p0r4s"),
  name: ResponseField.text("For people to tell keys apart.", "CI"),
  scope: ResponseField.choice(scopes, "What the key may do.", "BUYER"),
  prefix: ResponseField.text("The first characters of the key.", "amk_4fTgRq1Z"),
  status: ResponseField.choice(["active", "deactivated"], "A deactivated key is refused at once.", "active"),
  agentId: ResponseField.textOrNull("The agent that acts with it.", null),
  expiresAt: ResponseField.timeOrNull("When it ends by itself.", null),
  lastUsedAt: ResponseField.timeOrNull("When it was last used; a few seconds late.", null),
  createdAt: ResponseField.time("When it was made."),
  rotatedFrom: ResponseField.textOrNull("The key that it replaced.", null),
  rotationDueAt: ResponseField.time("90 days after it was made.", "2025-04-15T12:00:00.000Z")
}

/** A key without its secret. */
export const Key = Schema.Struct(keyFields).annotate({
  identifier: "Key",
  description: "An API key without its secret."
})

/** A key that was just made: the only answer that holds the secret. */
export const IssuedKey = Schema.Struct({
  ...keyFields,
  key: ResponseField.text("The key itself, shown this once.", "amk_4fTgRq1ZkX0s9vB2nM5cD7hJ8wLpY3aE6uR1tK0xQ9zS")
}).annotate({ identifier: "IssuedKey", description: "A new API key with its secret." })

const quotaUse = Schema.Struct({
  limit: ResponseField.numberOrNull("How many there may be; null is unlimited.", 100),
  used: ResponseField.count("How many there are.", 3)
}).annotate({ identifier: "QuotaUse", description: "One quota of the account." })

/** The response body of ACCOUNT-11. */
export const Usage = Schema.Struct({
  tier: ResponseField.choice(tiers, "Decides the limits that follow.", "free"),
  hourly: Schema.Struct({
    limit: ResponseField.numberOrNull("Requests per hour; null is unlimited.", 100),
    used: ResponseField.count("Requests in this hour, of this key's agent or of the owner's own keys.", 12),
    resetAt: ResponseField.timeOrNull("When the hour ends; null where there is no limit.")
  }).annotate({ identifier: "HourlyUse", description: "The hour of the tier." }),
  quotas: Schema.Struct({
    souls: quotaUse,
    listings: quotaUse,
    agents: quotaUse,
    keys: quotaUse,
    webhooks: quotaUse,
    releaseBytes: quotaUse
  }).annotate({ identifier: "QuotaUses", description: "What the account may have and what it has." })
}).annotate({ identifier: "Usage", description: "What the tier allows and what is used." })

export const DeactivatedKey = Schema.Struct({
  id: ResponseField.text("Which key.", "key_01j9zq5k2f8h3m6n7p0r4s"),
  status: ResponseField.choice(["deactivated"], "Always `deactivated`.", "deactivated")
}).annotate({ identifier: "DeactivatedKey", description: "A key that is refused from now on." })

export const NewAccount = Schema.Struct({ account: Account, apiKey: IssuedKey }).annotate({
  identifier: "NewAccount",
  description: "An account and its first key (FULL)."
})

export const RegisteredAgent = Schema.Struct({
  agent: Agent,
  apiKey: IssuedKey,
  claimCode: ResponseField.text("Makes its holder the agent's owner, once.", "claim_8k2f0h3m6n7p1r4s5t9v2w3x4y")
}).annotate({
  identifier: "RegisteredAgent",
  description: "An agent without an owner, its first key and its claim code."
})

export const ClaimedAgent = Schema.Struct({ agent: Agent }).annotate({
  identifier: "ClaimedAgent",
  description: "An agent that now acts for the caller."
})
