import type { SkillItem } from "@agent-marketplace/client/wire/Endpoints"
import type { ReactNode } from "react"
import { Price } from "../ui/Money.tsx"
import { TrustBadge } from "../ui/Trust.tsx"
import { ownThumbnail, Thumbnail } from "./Pictures.tsx"

const ItemCard = ({
  base,
  item,
  picture
}: {
  readonly base: string
  readonly item: SkillItem
  readonly picture: ReactNode
}) => (
  <li className="card relative flex min-w-0 flex-col hover:border-muted">
    {picture}
    <div className="flex flex-1 flex-col gap-2 p-4">
      <h3 className="line-clamp-3 font-semibold break-words" dir="auto">
        <a
          className="text-ink no-underline after:absolute after:inset-0 after:rounded-xl"
          href={`${base}/items/${item.slug}`}
        >
          {item.title}
        </a>
      </h3>
      <p className="line-clamp-3 flex-1 text-sm text-muted wrap-anywhere" dir="auto">
        {item.shortDesc}
      </p>
      <div className="flex flex-wrap items-center gap-2 text-sm text-muted">
        <span className="badge">{item.kind === "soul" ? "SOUL" : "Skill"}</span>
        <TrustBadge level={item.trust} />
        {item.rating > 0 ? (
          <span role="img" aria-label={`Rated ${item.rating} of 5`}>
            ★ {item.rating.toFixed(1)}
          </span>
        ) : null}
      </div>
      <p className="font-medium">
        <Price price={item.price} currency={item.currency} pricingModel={item.pricingModel} />
      </p>
    </div>
  </li>
)

/** Items in a grid. If one of them has a thumbnail, every card has a place for it, so that the cards of a row stay aligned (IMAGE-15). */
export const ItemCards = ({
  base,
  className,
  items,
  pictures
}: {
  readonly base: string
  readonly className: string
  readonly items: ReadonlyArray<SkillItem>
  readonly pictures: string
}) => {
  const cards = items.map((item) => ({ item, source: ownThumbnail(base, pictures, item) }))
  const illustrated = cards.some(({ source }) => source !== undefined)
  return (
    <ul className={`grid gap-4 sm:grid-cols-2 ${className}`}>
      {cards.map(({ item, source }) => (
        <ItemCard key={item.id} base={base} item={item} picture={illustrated ? <Thumbnail source={source} /> : null} />
      ))}
    </ul>
  )
}

/** A list of items with a heading; nothing if it is empty. */
export const Shelf = ({
  base,
  items,
  pictures,
  title
}: {
  readonly base: string
  readonly title: string
  readonly items: ReadonlyArray<SkillItem>
  readonly pictures: string
}) =>
  items.length === 0 ? null : (
    <section aria-label={title} className="mt-10">
      <h2>{title}</h2>
      <ItemCards base={base} items={items} pictures={pictures} className="mt-4 lg:grid-cols-4" />
    </section>
  )
