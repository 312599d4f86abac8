import { SimulatedDepositInput } from "@agent-marketplace/api/admin/AdminSchemas"
import { limitViolations, PolicyInput } from "@agent-marketplace/api/approvals/PolicySchemas"
import { KeyInput } from "@agent-marketplace/api/identity/IdentityInputs"
import { ListingPatch } from "@agent-marketplace/api/listings/ListingFields"
import { SkillCreate, SkillPatch } from "@agent-marketplace/api/listings/SkillFields"
import { WithdrawalInput } from "@agent-marketplace/api/wallets/WithdrawalInput"
import { WebhookInput, WebhookPatch } from "@agent-marketplace/api/webhooks/WebhookInputs"
import { Chain } from "@agent-marketplace/core/chain/Chain"
import type { Issue, StoreUnavailable } from "@agent-marketplace/core/errors/MarketError"
import type { Caller } from "@agent-marketplace/core/identity/Caller"
import { Identity } from "@agent-marketplace/core/identity/Identity"
import { priceViolations } from "@agent-marketplace/core/listings/ListingRules"
import { Listings } from "@agent-marketplace/core/listings/Listings"
import { Wallets } from "@agent-marketplace/core/wallets/Wallets"
import { Webhooks } from "@agent-marketplace/core/webhooks/Webhooks"
import { Effect, Option, Schema, SchemaAST } from "effect"
import { receiverViolations } from "../admin/receiverViolations.ts"

/** Whose change it is, and of what. */
export interface Target {
  readonly caller: Caller | null
  readonly id: string | undefined
}

/** What the market has against a body beyond its schema, told of those fields that are right by themselves. */
export type BusinessRule = (body: unknown, target: Target) => Effect.Effect<ReadonlyArray<Issue>, StoreUnavailable>

type Fields = Readonly<Record<string, Schema.Codec<unknown, unknown>>>

const isObject = (value: unknown): value is object => typeof value === "object" && value !== null

/** Reads the fields that are right, whatever the others are. */
const rightFields = (fields: Fields) => {
  const decoders = Object.entries(fields).map(([name, field]) =>
    Schema.decodeUnknownOption(Schema.Struct({ [name]: field }))
  )
  return (body: unknown): object =>
    isObject(body) ? Object.assign({}, ...decoders.map((decode) => Option.getOrUndefined(decode(body)))) : {}
}

/** Of the body with that schema; an endpoint has a copy of it, by the same name. */
const against = <F extends Schema.Struct.Fields>(
  schema: Schema.Struct<F>,
  ruleViolations: (
    fields: Partial<Schema.Struct.Type<F>>,
    target: Target
  ) => Effect.Effect<ReadonlyArray<Issue>, StoreUnavailable>
): readonly [string | undefined, BusinessRule] => {
  const read = rightFields(schema.fields as unknown as Fields)
  return [
    SchemaAST.resolveIdentifier(schema.ast),
    (body, target) => ruleViolations(read(body) as Partial<Schema.Struct.Type<F>>, target)
  ]
}

const none: BusinessRule = () => Effect.succeed([])

/** Finds what there is against the body of an endpoint. */
export const makeBusinessRules = Effect.gen(function* () {
  const chain = yield* Chain
  const identity = yield* Identity
  const listings = yield* Listings
  const wallets = yield* Wallets
  const webhooks = yield* Webhooks
  const change = (fields: Parameters<typeof listings.ruleViolations>[2], { caller, id }: Target) =>
    caller === null || id === undefined ? Effect.succeed([]) : listings.ruleViolations(caller, id, fields)
  const known = new Map([
    against(KeyInput, identity.keyViolations),
    against(PolicyInput, (fields) => Effect.succeed(limitViolations(fields))),
    against(ListingPatch, change),
    against(SimulatedDepositInput, ({ address }) => receiverViolations(chain, address)),
    against(SkillCreate, (fields) => Effect.succeed(priceViolations(fields))),
    against(SkillPatch, change),
    against(WithdrawalInput, wallets.ruleViolations),
    against(WebhookInput, webhooks.ruleViolations),
    against(WebhookPatch, webhooks.ruleViolations)
  ])
  return (schema: Schema.Constraint): BusinessRule => known.get(SchemaAST.resolveIdentifier(schema.ast)) ?? none
})
