import type { PageRequest } from "@agent-marketplace/core/paging/Page"

/** Which page a query asks for; page 1 and 20 records where it does not say (WIRE-10). */
export const pageOf = ({ limit = 20, page = 1 }: { readonly page?: number; readonly limit?: number }): PageRequest => ({
  page,
  limit
})
