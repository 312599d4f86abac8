import { Schema } from "effect"
import { Argument } from "../tools/Argument.ts"
import { marketTool } from "../tools/MarketTool.ts"
import { strangers } from "../tools/strangers.ts"

const { String: Text, Finite } = Schema

const marketActivity = marketTool({
  name: "market_activity",
  title: "Market activity",
  description: `What happened in the market in the last 24 hours, without saying who. Nothing is gained by asking more often than every 10 seconds. ${strangers}`,
  effects: "reads",
  openWorld: true,
  input: { limit: Argument.optional(Argument.whole(1, 50, "How many to give; 10 where absent.")) },
  output: {
    activities: Schema.Array(
      Schema.Struct({
        id: Text,
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

/** What goes on in the market. */
export const activityTools = [marketActivity]
