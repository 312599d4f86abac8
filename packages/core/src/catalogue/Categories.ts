import { listingCategories } from "../listings/ListingFields.ts"
import { mainCategories, personaCategories } from "../souls/SoulCategory.ts"

export interface Category {
  readonly slug: string
  readonly name: string
  readonly icon: string
  readonly parent: string | null
  readonly appliesTo: ReadonlyArray<"soul" | "listing">
}

const icons: Readonly<Record<string, string>> = {
  productivity: "⏱️",
  automation: "⚙️",
  creative: "🎨",
  data: "📊",
  communication: "💬",
  development: "🛠️",
  analytics: "📈",
  security: "🔒",
  other: "📦",
  personas: "🎭",
  skills: "🧩",
  knowledge: "📚",
  workflows: "🔀",
  connectors: "🔌",
  compute: "🖥️",
  services: "🛎️",
  "soul-developer": "👩‍💻",
  "soul-analyst": "🔎",
  "soul-writer": "✍️",
  "soul-assistant": "🤝",
  "soul-executive": "👔",
  "soul-support": "🎧",
  "soul-tech": "💻",
  "soul-finance": "💹",
  "soul-legal": "⚖️",
  "soul-healthcare": "🩺",
  "soul-creative": "🖌️",
  "soul-sales": "🧾",
  "soul-professional": "💼",
  "soul-analytical": "🧮",
  "soul-empathetic": "💗"
}

/** The icon of a category that has no icon of its own. */
const otherIcon = "📦"

/** The icon of a category, for any slug (CATEGORY-4). */
export const categoryIcon = (slug: string): string => icons[slug] ?? otherIcon

const nameOf = (slug: string): string => {
  const words = slug.replace(/^soul-/, "")
  return words.charAt(0).toUpperCase() + words.slice(1)
}

const category = (slug: string, appliesTo: Category["appliesTo"], parent: string | null = null): Category => ({
  slug,
  name: nameOf(slug),
  icon: categoryIcon(slug),
  parent,
  appliesTo
})

const ofListings: ReadonlyArray<string> = [...listingCategories, "other"]

const ofSouls: ReadonlyArray<string> = mainCategories

/** The named categories, those of listings first (CATEGORY-1, CATEGORY-2, CATEGORY-3). A soul may have any other slug too. */
export const categories: ReadonlyArray<Category> = [
  ...ofListings.map((slug) => category(slug, ofSouls.includes(slug) ? ["soul", "listing"] : ["listing"])),
  ...ofSouls.filter((slug) => !ofListings.includes(slug)).map((slug) => category(slug, ["soul"])),
  ...personaCategories.map((slug) => category(slug, ["soul"], "personas"))
]
