import { approvalRules } from "./approvalRules.ts"
import { combinationRules } from "./combinationRules.ts"
import { executionRules } from "./executionRules.ts"
import { foreignTextRules } from "./foreignTextRules.ts"
import { guardRules } from "./guardRules.ts"
import { indirectRules } from "./indirectRules.ts"
import { injectionRules } from "./injectionRules.ts"
import { intentRules } from "./intentRules.ts"
import { persistenceRules } from "./persistenceRules.ts"
import { procedureRules } from "./procedureRules.ts"
import type { Rule } from "./Rule.ts"
import { soulRules } from "./soulRules.ts"
import { theftRules } from "./theftRules.ts"

/** All rules that combine concepts. Those of `checks/` read bytes, names and structure. */
export const rules: ReadonlyArray<Rule> = [
  ...injectionRules,
  ...approvalRules,
  ...foreignTextRules,
  ...theftRules,
  ...executionRules,
  ...persistenceRules,
  ...soulRules,
  ...combinationRules,
  ...intentRules,
  ...indirectRules,
  ...procedureRules,
  ...guardRules
]
