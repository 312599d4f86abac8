import { Schema } from "effect"
import { Told } from "../wire/Told.ts"

const tiers = ["free", "pro", "enterprise"] as const
const scopes = ["READ", "BUYER", "SELLER", "FULL"] as const

const accountFields = {
  id: Told.text("Prefix `usr_`.", "usr_01j9zq5k2f8h3m6n7p0r4s"),
  name: Told.text("Shown as author and creator.", "Ada"),
  email: Told.textOrNull("Never shown to others.", "ada@example.com"),
  seller: Told.flag("Whether the account may create listings.", true),
  tier: Told.choice(tiers, "Decides how many requests an hour may hold.", "free"),
  createdAt: Told.time("When the account was made.")
}

/** Contract 2. */
export const Account = Schema.Struct(accountFields).annotate({
  identifier: "Account",
  description: "Who owns wallets, agents, keys and items."
})

/** Contract 7. */
export const AdminAccount = Schema.Struct({
  ...accountFields,
  hourlyLimit: Told.numberOrNull("Requests per hour where the operator set a number; null follows the tier.", null)
}).annotate({ identifier: "AdminAccount", description: "An account as an operator sees it." })

export const Agent = Schema.Struct({
  id: Told.text("Prefix `agt_`.", "agt_01j9zq5k2f8h3m6n7p0r4s"),
  name: Told.text("What the agent is called.", "Shopping agent"),
  claimed: Told.flag("Whether it has an owner.", false),
  createdAt: Told.time("When it was registered.")
}).annotate({ identifier: "Agent", description: "A program that acts with a key of its own." })

const keyFields = {
  id: Told.text("Prefix `key_`.", "key_01j9zq5k2f8h3m6n7p0r4s"),
  name: Told.text("For people to tell keys apart.", "CI"),
  scope: Told.choice(scopes, "What the key may do.", "BUYER"),
  prefix: Told.text("The first characters of the key.", "amk_4fTgRq1Z"),
  status: Told.choice(["active", "deactivated"], "A deactivated key is refused at once.", "active"),
  agentId: Told.textOrNull("The agent that acts with it.", null),
  expiresAt: Told.timeOrNull("When it ends by itself.", null),
  lastUsedAt: Told.timeOrNull("When it was last used; a few seconds late.", null),
  createdAt: Told.time("When it was made.")
}

/** A key without its secret. */
export const Key = Schema.Struct(keyFields).annotate({
  identifier: "Key",
  description: "An API key without its secret."
})

/** A key that was just made: the only answer that holds the secret. */
export const IssuedKey = Schema.Struct({
  ...keyFields,
  key: Told.text("The key itself, shown this once.", "amk_4fTgRq1ZkX0s9vB2nM5cD7hJ8wLpY3aE6uR1tK0xQ9zS")
}).annotate({ identifier: "IssuedKey", description: "A new API key with its secret." })

export const DeactivatedKey = Schema.Struct({
  id: Told.text("Which key.", "key_01j9zq5k2f8h3m6n7p0r4s"),
  status: Told.choice(["deactivated"], "Always `deactivated`.", "deactivated")
}).annotate({ identifier: "DeactivatedKey", description: "A key that is refused from now on." })

export const NewAccount = Schema.Struct({ account: Account, apiKey: IssuedKey }).annotate({
  identifier: "NewAccount",
  description: "An account and its first key (FULL)."
})

export const RegisteredAgent = Schema.Struct({
  agent: Agent,
  apiKey: IssuedKey,
  claimCode: Told.text("Makes its holder the agent's owner, once.", "claim_8k2f0h3m6n7p1r4s5t9v2w3x4y")
}).annotate({
  identifier: "RegisteredAgent",
  description: "An agent without an owner, its first key and its claim code."
})

export const ClaimedAgent = Schema.Struct({ agent: Agent }).annotate({
  identifier: "ClaimedAgent",
  description: "An agent that now acts for the caller."
})
