const limits: ReadonlySet<number> = new Set([10, 20, 50, 100])

/**
 * Whether a page is one of those that everybody asks for, whose statements are worth keeping prepared. Bounds stand in their texts, and a
 * connection keeps a hundred.
 */
export const isUsualPage = (limit: number, offset: number): boolean => offset === 0 && limits.has(limit)
