import { Schema } from "effect"
import { field } from "./Field.ts"

const success = field(Schema.Literal(true), "Always true: failures have a different envelope.", true)

/** Which page of a list this is (WIRE-10). */
const Meta = Schema.Struct({
  page: field(Schema.Int, "The page, counted from 1.", 1),
  limit: field(Schema.Int, "The most records on a page.", 20),
  total: field(Schema.Int, "The total number of records.", 1)
}).annotate({ identifier: "Meta", description: "Which page of a list this is." })

/** `{ success: true, data }` (WIRE-7). */
export const enveloped = <S extends Schema.Top>(data: S) => Schema.Struct({ success, data })

/** `{ success: true, data, meta }`: a page of a list. */
export const pageOf = <S extends Schema.Top>(data: S) => Schema.Struct({ success, data, meta: Meta })

const LeftOutMeta = Schema.Struct({
  ...Meta.fields,
  leftOut: field(Schema.Int, "How many records limits left out, in all pages.", 0)
}).annotate({ identifier: "LeftOutMeta", description: "Which page of a list this is, and what the list lacks." })

/** A page of a list whose size is limited. */
export const leftOutPageOf = <S extends Schema.Top>(data: S) => Schema.Struct({ success, data, meta: LeftOutMeta })

const KeysetMeta = Schema.Struct({
  limit: field(Schema.Int, "The most records on a page.", 20),
  nextCursor: field(
    Schema.NullOr(Schema.String),
    "The `cursor` of the next page; null on the last page.",
    "dlv_000000000000k01j9zq5k2f8h3m6n7p0r4s"
  )
}).annotate({ identifier: "KeysetMeta", description: "How to get the next page." })

/** `{ success: true, data, meta }`: a page of a list that is paged by cursor. */
export const keysetPageOf = <S extends Schema.Top>(data: S) => Schema.Struct({ success, data, meta: KeysetMeta })

/** Page numbers as the client library's results have them (WIRE-9, WIRE-11). */
export const Pagination = Schema.Struct({
  page: field(Schema.Int, "The page, counted from 1.", 1),
  limit: field(Schema.Int, "The most records on a page.", 20),
  total: field(Schema.Int, "The total number of records.", 1),
  totalPages: field(Schema.Int, "The number of pages; 0 if there are no records.", 1),
  hasMore: field(Schema.Boolean, "Whether a page comes after this one.", false)
}).annotate({ identifier: "Pagination", description: "Page numbers of a list." })

interface PageRequest {
  readonly page: number
  readonly limit: number
}

/** The answer to a successful request in the general envelope (WIRE-7, WIRE-10). */
export const toEnvelope = <A>(data: A) => ({ success: true as const, data })

export const toPage = <A>(data: A, { limit, page }: PageRequest, total: number) => ({
  success: true as const,
  data,
  meta: { page, limit, total }
})

export const toPagination = ({ limit, page }: PageRequest, total: number) => {
  const totalPages = Math.ceil(total / limit)
  return { page, limit, total, totalPages, hasMore: page < totalPages }
}

/** The response to a DELETE (WIRE-13). */
export const Deleted = Schema.Struct({
  id: field(Schema.String, "The id of the deleted record.", "lst_01j9zq5k2f8h3m6n7p0r4s"),
  deleted: field(Schema.Literal(true), "Always true.", true)
}).annotate({ identifier: "Deleted", description: "The deleted record." })

export const toDeleted = ({ id }: { readonly id: string }): typeof Deleted.Type => ({ id, deleted: true })
