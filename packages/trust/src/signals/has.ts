/** Whether a concept is in a set of concepts. */
export const has = (mask: Int32Array, concept: number): boolean => (mask[concept >> 5]! & (1 << (concept & 31))) !== 0
