import type { SkillItem } from "@agent-marketplace/client/wire/Endpoints"
import { Price } from "../ui/Money.tsx"
import { TrustBadge } from "../ui/Trust.tsx"

/** An item in a list. */
export const ItemCard = ({ base, item }: { readonly base: string; readonly item: SkillItem }) => (
  <li className="card relative flex min-w-0 flex-col gap-2 p-4 hover:border-muted">
    <div className="flex items-start justify-between gap-3">
      <h3 className="min-w-0 font-semibold wrap-anywhere" dir="auto">
        <a
          className="text-ink no-underline after:absolute after:inset-0 after:rounded-xl"
          href={`${base}/items/${item.slug}`}
        >
          {item.title}
        </a>
      </h3>
      <span className="shrink-0 font-medium">
        <Price price={item.price} currency={item.currency} pricingModel={item.pricingModel} />
      </span>
    </div>
    <p className="line-clamp-3 flex-1 text-sm text-muted wrap-anywhere" dir="auto">
      {item.shortDesc}
    </p>
    <div className="flex flex-wrap items-center gap-2 text-sm text-muted">
      <span className="badge">{item.kind === "soul" ? "SOUL" : "Skill"}</span>
      <TrustBadge level={item.trust} />
      {item.rating > 0 ? <span aria-label={`Rated ${item.rating} of 5`}>★ {item.rating.toFixed(1)}</span> : null}
    </div>
  </li>
)

/** A list of items with a heading; nothing if it is empty. */
export const Shelf = ({
  base,
  items,
  title
}: {
  readonly base: string
  readonly title: string
  readonly items: ReadonlyArray<SkillItem>
}) =>
  items.length === 0 ? null : (
    <section aria-label={title} className="mt-10">
      <h2>{title}</h2>
      <ul className="mt-4 grid gap-4 sm:grid-cols-2 lg:grid-cols-4">
        {items.map((item) => (
          <ItemCard key={item.id} base={base} item={item} />
        ))}
      </ul>
    </section>
  )
