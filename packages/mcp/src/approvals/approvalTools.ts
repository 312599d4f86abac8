import { Schema } from "effect"
import { Argument } from "../tools/Argument.ts"
import { marketTool, otherUsersTexts } from "../tools/MarketTool.ts"
import { pageArguments } from "../tools/paging.ts"

const { String: Text, Finite } = Schema

const listApprovals = marketTool({
  name: "list_approvals",
  title: "List approvals",
  description: `Purchases that await, or awaited, the owner's approval. Only the owner decides, and not through this server. An agent sees its own. ${otherUsersTexts}`,
  effects: "reads",
  openWorld: true,
  input: {
    status: Argument.optional(
      Argument.choice(["pending", "approved", "rejected", "expired"], "Only approvals with this status; default: all.")
    ),
    ...pageArguments
  },
  output: {
    approvals: Schema.Array(
      Schema.Struct({
        approvalId: Text,
        purchaseId: Text,
        itemId: Text,
        item: Schema.Struct({ name: Text, slug: Text }),
        amount: Finite.annotate({ description: "In USDT; reserved until the decision." }),
        agentId: Schema.NullOr(Text),
        status: Text,
        requestedAt: Text,
        expiresAt: Text,
        decidedAt: Schema.NullOr(Text)
      })
    )
  },
  call: async (market, { limit = 10, ...input }, options) => {
    const found = await market.approvals.list({ ...input, limit }, options)
    return {
      approvals: found.map(({ id, skill, ...rest }) => ({ ...rest, approvalId: id, itemId: skill.id, item: skill }))
    }
  }
})

/** Pending approvals. */
export const approvalTools = [listApprovals]
