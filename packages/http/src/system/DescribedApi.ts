import { MarketApi } from "@agent-marketplace/api/MarketApi"
import { OpenApi } from "effect/http-api"
import type { MountedAt } from "../mount/Mount.ts"

/** The API as its documents describe it where it is mounted. */
export const describedApi = ({ path }: MountedAt) =>
  path === "" ? MarketApi : MarketApi.annotate(OpenApi.Servers, [{ url: path }])
