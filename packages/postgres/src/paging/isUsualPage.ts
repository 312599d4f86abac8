const limits: ReadonlySet<number> = new Set([10, 20, 50, 100])

/**
 * Whether a page is requested often enough to keep its statement prepared. The limit and offset are part of the text, and a connection
 * keeps a hundred statements.
 */
export const isUsualPage = (limit: number, offset: number): boolean => offset === 0 && limits.has(limit)
