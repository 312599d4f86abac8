import { SchemaAST } from "effect"
import type { Schema } from "effect"

/** A business rule for the fields of a body, which its schema cannot express. */
export type BodyRuleName =
  "key" | "policyLimits" | "listingChange" | "price" | "savedAddress" | "simulatedDeposit" | "withdrawal" | "webhook"

/** A rule with the fields that it reads. `packages/http` implements each rule under its name. */
export interface BodyRule {
  readonly name: BodyRuleName
  readonly fields: Schema.Struct.Fields
}

const annotation = "~agent-marketplace/api/BodyRule"

/** Attaches a rule to the schema of a body. Every copy of the schema keeps it, whatever its identifier. */
export const withBodyRule =
  (name: BodyRuleName) =>
  <F extends Schema.Struct.Fields>(schema: Schema.Struct<F>): Schema.Struct<F> =>
    schema.annotate({ [annotation]: { name, fields: schema.fields } satisfies BodyRule })

/** The rule of a body's schema; undefined if it has none. */
export const bodyRuleOf = (schema: Schema.Constraint): BodyRule | undefined =>
  SchemaAST.resolve(schema.ast)?.[annotation] as BodyRule | undefined
