import { lexicographicSortSchema, printSchema } from "graphql"
import type { OpenApiDocument } from "./JsonSchema.ts"
import { makeMarketSchema } from "./MarketSchema.ts"

/** The schema in GraphQL's language, the same text each time (GRAPHQL-1). */
export const schemaText = (document: OpenApiDocument): string =>
  `${printSchema(lexicographicSortSchema(makeMarketSchema(document)))}\n`
