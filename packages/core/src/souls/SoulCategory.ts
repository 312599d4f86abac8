/** The named categories of souls (CATEGORY-2, CATEGORY-3); a soul may carry any other slug too. */
export const mainCategories = [
  "personas",
  "skills",
  "knowledge",
  "data",
  "workflows",
  "connectors",
  "compute",
  "services"
] as const

export const personaCategories = [
  "soul-developer",
  "soul-analyst",
  "soul-writer",
  "soul-assistant",
  "soul-executive",
  "soul-support",
  "soul-tech",
  "soul-finance",
  "soul-legal",
  "soul-healthcare",
  "soul-creative",
  "soul-sales",
  "soul-professional",
  "soul-analytical",
  "soul-empathetic"
] as const

/** The categories that a filter includes: `personas` includes its sub-categories (SOUL-6). */
export const categoriesWithin = (category: string): ReadonlyArray<string> =>
  category === "personas" ? ["personas", ...personaCategories] : [category]
