import { limitViolations } from "@agent-marketplace/core/approvals/SpendingPolicy"
import type { PolicyInput } from "@agent-marketplace/api/approvals/PolicySchemas"
import type { KeyInput } from "@agent-marketplace/api/identity/IdentityInputs"
import type { SkillCreate } from "@agent-marketplace/api/listings/SkillFields"
import type { WithdrawalInput } from "@agent-marketplace/api/wallets/WalletSchemas"
import type { SavedAddressInput } from "@agent-marketplace/api/wallets/WithdrawalRulesSchemas"
import type { WebhookInput } from "@agent-marketplace/api/webhooks/WebhookInputs"
import { bodyRuleOf } from "@agent-marketplace/api/wire/BodyRule"
import type { BodyRuleName } from "@agent-marketplace/api/wire/BodyRule"
import { Chain } from "@agent-marketplace/core/chain/Chain"
import type { Issue, StoreUnavailable } from "@agent-marketplace/core/errors/MarketError"
import type { Caller } from "@agent-marketplace/core/identity/Caller"
import { Identity } from "@agent-marketplace/core/identity/Identity"
import { priceViolations } from "@agent-marketplace/core/listings/ListingRules"
import { Listings } from "@agent-marketplace/core/listings/Listings"
import { Wallets } from "@agent-marketplace/core/wallets/Wallets"
import { WithdrawalControl } from "@agent-marketplace/core/wallets/WithdrawalControl"
import { Webhooks } from "@agent-marketplace/core/webhooks/Webhooks"
import { Effect, Option, Schema } from "effect"

/** The issues of an address for a deposit on the simulated chain, if it is given (OPERATOR-18). */
export const receiverViolations = (
  chain: Chain["Service"],
  address: string | undefined
): Effect.Effect<ReadonlyArray<Issue>> =>
  address === undefined
    ? Effect.succeed([])
    : Effect.map(chain.isAddress(address), (valid) =>
        valid ? [] : [{ path: "address", message: `must be a valid ${chain.name} address` }]
      )

/** The caller and the record that it changes. */
export interface Target {
  readonly caller: Caller | null
  readonly id: string | undefined
}

type Violations = Effect.Effect<ReadonlyArray<Issue>, StoreUnavailable>

/** Checks the market's own rules on those fields of a body that match their schemas. */
export type BusinessRules = (body: unknown, target: Target) => Violations

type Fields = Readonly<Record<string, Schema.Codec<unknown, unknown>>>

const isObject = (value: unknown): value is object => typeof value === "object" && value !== null

/** Decodes the fields that match their schemas and leaves out the others. */
const validFields = (fields: Fields) => {
  const decoders = Object.entries(fields).map(([name, field]) =>
    Schema.decodeUnknownOption(Schema.Struct({ [name]: field }))
  )
  return (body: unknown): object =>
    isObject(body) ? Object.assign({}, ...decoders.map((decode) => Option.getOrUndefined(decode(body)))) : {}
}

const none: BusinessRules = () => Effect.succeed([])

/** Finds the rules of a body's schema: those that the schema is annotated with. */
export const makeBusinessRules = Effect.gen(function* () {
  const chain = yield* Chain
  const identity = yield* Identity
  const listings = yield* Listings
  const wallets = yield* Wallets
  const withdrawalControl = yield* WithdrawalControl
  const webhooks = yield* Webhooks
  const rules: Readonly<Record<BodyRuleName, (fields: never, target: Target) => Violations>> = {
    key: (fields: Partial<typeof KeyInput.Type>) => identity.keyViolations(fields),
    policyLimits: (fields: Partial<typeof PolicyInput.Type>) => Effect.succeed(limitViolations(fields)),
    listingChange: (fields: Parameters<typeof listings.ruleViolations>[2], { caller, id }) =>
      caller === null || id === undefined ? Effect.succeed([]) : listings.ruleViolations(caller, id, fields),
    price: (fields: Partial<typeof SkillCreate.Type>) => Effect.succeed(priceViolations(fields)),
    savedAddress: (fields: Partial<typeof SavedAddressInput.Type>) => withdrawalControl.addressViolations(fields),
    simulatedDeposit: ({ address }: { readonly address?: string }) => receiverViolations(chain, address),
    withdrawal: (fields: Partial<typeof WithdrawalInput.Type>) => wallets.ruleViolations(fields),
    webhook: (fields: Partial<typeof WebhookInput.Type>) => webhooks.ruleViolations(fields)
  }
  return (schema: Schema.Constraint): BusinessRules => {
    const rule = bodyRuleOf(schema)
    if (rule === undefined) return none
    const valid = validFields(rule.fields as Fields)
    return (body, target) => rules[rule.name](valid(body) as never, target)
  }
})
