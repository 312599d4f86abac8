import { Schema } from "effect"
import { field } from "../wire/Field.ts"
import { ResponseField } from "../wire/ResponseField.ts"

const tiers = ["free", "pro", "enterprise"] as const
const scopes = ["READ", "BUYER", "SELLER", "FULL"] as const

const frozenFields = {
  frozenAt: ResponseField.timeOrNull(
    "Since when it is frozen: it can read but change nothing. Null unless it is frozen.",
    null
  ),
  frozenReason: ResponseField.textOrNull("The reason, if one was given.", null)
}

const accountFields = {
  id: ResponseField.text("Prefix `usr_`.", "usr_01j9zq5k2f8h3m6n7p0r4s"),
  name: ResponseField.text("Shown as author and creator.", "Ada"),
  email: ResponseField.textOrNull("Never shown to others.", "ada@example.com"),
  seller: ResponseField.flag("Whether the account may create listings.", true),
  tier: ResponseField.choice(tiers, "Determines how many requests are allowed per hour.", "free"),
  createdAt: ResponseField.time("When the account was created.")
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
    "The number of requests per hour that the operator set; null: the tier's number applies.",
    null
  ),
  quotas: field(
    Schema.Record(Schema.String, Schema.Finite),
    "The quotas that the operator set; for absent ones the tier's apply.",
    { souls: 500 }
  ),
  operator: ResponseField.flag("Whether the account's sessions may do what the operator's token does.", false),
  ...frozenFields
}).annotate({ identifier: "AdminAccount", description: "An account as an operator sees it." })

export const Agent = Schema.Struct({
  id: ResponseField.text("Prefix `agt_`.", "agt_01j9zq5k2f8h3m6n7p0r4s"),
  name: ResponseField.text("The agent's name.", "Shopping agent"),
  claimed: ResponseField.flag("Whether it has an owner.", false),
  source: ResponseField.choice(
    ["api", "oauth"],
    "How the agent was created: over the API, or by consent to an application.",
    "api"
  ),
  createdAt: ResponseField.time("When it was registered."),
  ...frozenFields,
  retiredAt: ResponseField.timeOrNull(
    "When it was retired and its keys were deactivated; null unless it is retired.",
    null
  )
}).annotate({ identifier: "Agent", description: "A program that acts with a key of its own." })

const keyFields = {
  id: ResponseField.text("Prefix `key_`.", "key_01j9zq5k2f8h3m6n7p0r4s"),
  name: ResponseField.text("A name that distinguishes the key from others.", "CI"),
  scope: ResponseField.choice(scopes, "What the key may do.", "BUYER"),
  prefix: ResponseField.text("The first characters of the key.", "amk_4fTgRq1Z"),
  status: ResponseField.choice(["active", "deactivated"], "A deactivated key is refused at once.", "active"),
  agentId: ResponseField.textOrNull("The agent that acts with it.", null),
  expiresAt: ResponseField.timeOrNull("When it expires.", null),
  lastUsedAt: ResponseField.timeOrNull(
    "When it was last used. Can be about a minute behind, because a use is recorded at most once a minute.",
    null
  ),
  createdAt: ResponseField.time("When it was created."),
  rotatedFrom: ResponseField.textOrNull("The key that it replaced.", null),
  rotationDueAt: ResponseField.time("90 days after it was created.", "2025-04-15T12:00:00.000Z")
}

/** A key without its secret. */
export const Key = Schema.Struct(keyFields).annotate({
  identifier: "Key",
  description: "An API key without its secret."
})

/** A new key: the only response that contains the secret. */
export const IssuedKey = Schema.Struct({
  ...keyFields,
  key: ResponseField.text(
    "The key itself, shown only in this response.",
    "amk_4fTgRq1ZkX0s9vB2nM5cD7hJ8wLpY3aE6uR1tK0xQ9zS"
  )
}).annotate({ identifier: "IssuedKey", description: "A new API key with its secret." })

const quotaUse = Schema.Struct({
  limit: ResponseField.numberOrNull("The most there may be; null is unlimited.", 100),
  used: ResponseField.count("How many there are.", 3)
}).annotate({ identifier: "QuotaUse", description: "One quota of the account." })

/** The response body of ACCOUNT-11. */
export const Usage = Schema.Struct({
  tier: ResponseField.choice(tiers, "Determines the limits below.", "free"),
  hourly: Schema.Struct({
    limit: ResponseField.numberOrNull("Requests per hour; null is unlimited.", 100),
    used: ResponseField.count("Requests in this hour: of this key's agent, or of the owner's own keys together.", 12),
    resetAt: ResponseField.timeOrNull("When the hour ends; null if there is no limit.")
  }).annotate({ identifier: "HourlyUse", description: "The requests of the current hour." }),
  quotas: Schema.Struct({
    souls: quotaUse,
    listings: quotaUse,
    agents: quotaUse,
    keys: quotaUse,
    webhooks: quotaUse,
    releaseBytes: quotaUse
  }).annotate({ identifier: "QuotaUses", description: "The account's quotas and their use." })
}).annotate({ identifier: "Usage", description: "The limits of the tier and their use." })

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
  claimCode: ResponseField.text(
    "Claims the agent: the account that sends it becomes the owner. Works once.",
    "claim_8k2f0h3m6n7p1r4s5t9v2w3x4y"
  )
}).annotate({
  identifier: "RegisteredAgent",
  description: "An agent without an owner, its first key and its claim code."
})

export const ClaimedAgent = Schema.Struct({ agent: Agent }).annotate({
  identifier: "ClaimedAgent",
  description: "An agent that now acts for the caller."
})
