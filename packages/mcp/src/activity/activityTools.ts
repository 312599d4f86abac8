import { Schema } from "effect"
import { Argument } from "../tools/Argument.ts"
import { marketTool, otherUsersTexts } from "../tools/MarketTool.ts"

const { String: Text, Finite } = Schema

const marketActivity = marketTool({
  name: "market_activity",
  title: "Market activity",
  description: `What happened in the market in the last 24 hours, anonymised. It changes at most every 10 seconds. ${otherUsersTexts}`,
  effects: "reads",
  openWorld: true,
  input: { limit: Argument.optional(Argument.whole(1, 50, "How many to return; default 10.")) },
  output: {
    activities: Schema.Array(
      Schema.Struct({
        type: Text,
        icon: Text,
        message: Text,
        timestamp: Text,
        amount: Schema.optionalKey(Text)
      })
    ),
    stats: Schema.Struct({ activeAgents: Finite, tradesLast24h: Finite, revenueLast24h: Text })
  },
  call: (market, input, options) => market.activity.live(input, options)
})

/** The activity feed. */
export const activityTools = [marketActivity]
