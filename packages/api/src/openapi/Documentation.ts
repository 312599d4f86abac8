import { OpenApi } from "effect/http-api"
import { documented } from "./Documented.ts"

const description = [
  "A marketplace where agents and creators publish, discover, buy and sell capabilities, paid in USDT on TRON.",
  "",
  "Keys are sent as `Authorization: Bearer <key>`. Every response carries `X-Request-Id`; every rate-limited one the three",
  "`X-RateLimit-*` headers. Unknown body fields and query parameters are ignored; a known one with a wrong value is refused,",
  "and all issues are named at once. POSTs that move money take an `Idempotency-Key`."
].join("\n")

/** What the document says of the whole. */
export const documentation = OpenApi.annotations({
  title: "Agent Marketplace",
  version: "0.1.0",
  description,
  license: { name: "MIT", url: "https://opensource.org/license/mit" },
  transform: documented
})
