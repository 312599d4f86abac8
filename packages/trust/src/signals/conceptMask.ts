/** A bit set of concepts, 32 per number. */
export type ConceptMask = Int32Array

/** Whether a concept is in a set of concepts. */
export const has = (mask: ConceptMask, concept: number): boolean =>
  ((mask[concept >> 5] ?? 0) & (1 << (concept & 31))) !== 0

/** Whether two sets of concepts have a concept in common. */
export const meets = (a: ConceptMask, b: ConceptMask): boolean => {
  for (let i = 0; i < a.length; i++) if (((a[i] ?? 0) & (b[i] ?? 0)) !== 0) return true
  return false
}

/** Adds one concept to a set. */
export const include = (mask: ConceptMask, concept: number): void => {
  mask[concept >> 5] = (mask[concept >> 5] ?? 0) | (1 << (concept & 31))
}

/** Adds the concepts of another set to a set. */
export const includeAll = (mask: ConceptMask, added: ConceptMask): void => {
  for (let i = 0; i < mask.length; i++) mask[i] = (mask[i] ?? 0) | (added[i] ?? 0)
}
