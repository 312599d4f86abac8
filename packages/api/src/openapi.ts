import { OpenApi } from "effect/http-api"
import { MarketApi } from "./MarketApi.ts"

/** The OpenAPI 3.1 document of the service as indented JSON; the same text each time. */
export const openApiJson = (): string => `${JSON.stringify(OpenApi.fromApi(MarketApi), null, 2)}\n`
