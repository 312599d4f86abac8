import { Schema } from "effect"
import { Argument } from "../tools/Argument.ts"
import { marketTool } from "../tools/MarketTool.ts"
import { pageArguments } from "../tools/pageArguments.ts"
import { strangers } from "../tools/strangers.ts"

const { String: Text, Finite } = Schema

const listApprovals = marketTool({
  name: "list_approvals",
  title: "List approvals",
  description: `Purchases that wait for the owner's approval, or waited. Only the owner decides, and not through this server. Needs an owner's key; an agent sees its own with list_purchases. ${strangers}`,
  effects: "reads",
  openWorld: true,
  input: {
    status: Argument.optional(
      Argument.choice(["pending", "approved", "rejected", "expired"], "Only those; all where absent.")
    ),
    ...pageArguments
  },
  output: {
    approvals: Schema.Array(
      Schema.Struct({
        id: Text,
        purchaseId: Text,
        skill: Schema.Struct({ id: Text, name: Text, slug: Text }),
        amount: Finite.annotate({ description: "In USDT; held while it waits." }),
        agentId: Schema.NullOr(Text),
        status: Text,
        requestedAt: Text,
        expiresAt: Text,
        decidedAt: Schema.NullOr(Text)
      })
    )
  },
  call: async (market, { limit = 10, ...input }, options) => ({
    approvals: await market.approvals.list({ ...input, limit }, options)
  })
})

/** What waits for the owner. */
export const approvalTools = [listApprovals]
