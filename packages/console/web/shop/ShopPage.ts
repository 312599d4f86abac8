import type {
  ActivityItem,
  Category,
  CreatorProfile,
  ItemImage,
  ItemTrust,
  ListingDetail,
  Review,
  SkillDetail,
  SkillItem,
  SoulDetail
} from "@agent-marketplace/client/wire/Endpoints"

/** A version of an item as its page lists it. */
export interface ShownVersion {
  readonly version: string
  readonly status: string
  readonly createdAt: string
  readonly sha256: string | null
}

/** A page with cards. */
interface Illustrated {
  /** The URLs of pictures that are stored here start with this. */
  readonly pictures: string
}

export interface HomePage extends Illustrated {
  readonly kind: "home"
  readonly featured: ReadonlyArray<SkillItem>
  readonly popular: ReadonlyArray<SkillItem>
  readonly latest: ReadonlyArray<SkillItem>
  readonly categories: ReadonlyArray<Category>
  readonly activity: { readonly activities: ReadonlyArray<ActivityItem> }
}

export interface SearchPage extends Illustrated {
  readonly kind: "search"
  readonly query: Readonly<Record<"q" | "category" | "max" | "pricing" | "sort", string>>
  readonly items: ReadonlyArray<SkillItem>
  readonly total: number
  readonly page: number
  readonly pages: number
  readonly categories: ReadonlyArray<Category>
}

export interface ItemPage {
  readonly kind: "item"
  readonly item: SkillDetail
  /** Null for a SOUL. */
  readonly listing: ListingDetail | null
  /** The uploaded pictures, whose URLs are paths below the market. */
  readonly images: ReadonlyArray<ItemImage>
  /** Null for a skill. */
  readonly soul: SoulDetail | null
  readonly trust: ItemTrust
  /** The long text, formatted by the server, so that browsers need no Markdown parser; empty if there is none. */
  readonly html: string
  readonly versions: ReadonlyArray<ShownVersion>
  readonly reviews: ReadonlyArray<Review>
}

export interface CreatorPage extends Illustrated {
  readonly kind: "creator"
  readonly creator: CreatorProfile
  readonly items: ReadonlyArray<SkillItem>
  readonly total: number
}

export interface ProblemPage {
  readonly kind: "problem"
  readonly status: number
  readonly description: string
}

/** What a page of the shop window shows. */
export type ShopPage = (HomePage | SearchPage | ItemPage | CreatorPage | ProblemPage) & {
  /** Whether the shop has demonstration data; absent if it has none. */
  readonly demonstration?: true
}
