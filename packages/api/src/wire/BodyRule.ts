import { SchemaAST } from "effect"
import type { Schema } from "effect"

/** A rule of the market for the fields of a body, beyond what its schema says. */
export type BodyRuleName =
  "key" | "policyLimits" | "listingChange" | "price" | "savedAddress" | "simulatedDeposit" | "withdrawal" | "webhook"

/** A rule with the fields that it reads. The handlers' package implements each by its name. */
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

/** The rule of a body's schema; undefined where the schema says everything. */
export const bodyRuleOf = (schema: Schema.Constraint): BodyRule | undefined =>
  SchemaAST.resolve(schema.ast)?.[annotation] as BodyRule | undefined
