import type { PageRequest } from "@agent-marketplace/core/paging/Page"

/** The page that a query requests; by default page 1 with 20 records (WIRE-10). */
export const pageOf = ({ limit = 20, page = 1 }: { readonly page?: number; readonly limit?: number }): PageRequest => ({
  page,
  limit
})
