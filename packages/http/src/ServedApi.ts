import { MarketApi } from "@agent-marketplace/api/MarketApi"
import { Edge } from "./edge/Edge.ts"

/** The market's operations, each behind the edge. */
export const ServedApi = MarketApi.middleware(Edge)
