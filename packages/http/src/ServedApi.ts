import { MarketApi } from "@agent-marketplace/api/MarketApi"
import { EndpointGuard } from "./edge/EndpointGuard.ts"

/** The market's operations, each behind the edge. */
export const ServedApi = MarketApi.middleware(EndpointGuard)
