import { toBudget, toPolicy } from "@agent-marketplace/api/approvals/PolicySchemas"
import { Approvals } from "@agent-marketplace/core/approvals/Approvals"
import { Effect } from "effect"
import { handlerGroup } from "../edge/RequestServices.ts"
import { forCaller } from "../edge/Reply.ts"
import { ServedApi } from "../ServedApi.ts"

/** Spending policies over HTTP (POLICY-3, POLICY-4). */
export const PoliciesHandlers = handlerGroup(
  ServedApi,
  "policies",
  Effect.fnUntraced(function* (handlers) {
    const approvals = yield* Approvals
    return handlers.handleAll({
      get: () => forCaller.one(toPolicy, (caller) => approvals.policy(caller)),
      set: ({ payload }) => forCaller.one(toPolicy, (caller) => approvals.setPolicy(caller, payload)),
      getForAgent: ({ params }) => forCaller.one(toPolicy, (caller) => approvals.agentPolicy(caller, params.id)),
      setForAgent: ({ params, payload }) =>
        forCaller.one(toPolicy, (caller) => approvals.setAgentPolicy(caller, params.id, payload)),
      change: ({ payload }) => forCaller.one(toPolicy, (caller) => approvals.changePolicy(caller, payload)),
      changeForAgent: ({ params, payload }) =>
        forCaller.one(toPolicy, (caller) => approvals.changeAgentPolicy(caller, params.id, payload)),
      budget: () => forCaller.one(toBudget, (caller) => approvals.budget(caller)),
      agentBudget: ({ params }) => forCaller.one(toBudget, (caller) => approvals.agentBudget(caller, params.id))
    })
  })
)
