import { Context } from "effect"
import type { Journal } from "./Journal.ts"
import type { OpenFile } from "./openMarketFile.ts"

/** The open file of a market. */
export class MarketFile extends Context.Service<MarketFile, OpenFile & { readonly journal: Journal }>()(
  "@agent-marketplace/sqlite/MarketFile"
) {}
