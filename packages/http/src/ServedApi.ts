import { MarketApi } from "@agent-marketplace/api/MarketApi"
import { OpenApi } from "effect/http-api"
import { EndpointGuard } from "./edge/EndpointGuard.ts"
import type { MountedAt } from "./mount/Mount.ts"

/** The market's operations, each behind the edge. */
export const ServedApi = MarketApi.middleware(EndpointGuard)

/** The API as its documents describe it where it is mounted. */
export const describedApi = ({ path }: MountedAt) =>
  path === "" ? MarketApi : MarketApi.annotate(OpenApi.Servers, [{ url: path }])
