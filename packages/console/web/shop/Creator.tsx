import { Time } from "../ui/Time.tsx"
import { Verified } from "../ui/Trust.tsx"
import { Frame } from "./Frame.tsx"
import { ItemCards } from "./ItemCard.tsx"
import type { CreatorPage } from "./ShopPage.ts"

export const Creator = ({ base, page }: { readonly base: string; readonly page: CreatorPage }) => {
  const { creator, items, total } = page
  const facts = [
    ["Items", String(total)],
    ["Sales", String(creator.sales)],
    ["Rating", creator.rating > 0 ? `${creator.rating.toFixed(2)} of 5` : "none yet"]
  ] as const
  return (
    <Frame base={base}>
      <h1 className="flex flex-wrap items-center gap-3 wrap-anywhere" dir="auto">
        {creator.name} {creator.verified ? <Verified /> : null}
      </h1>
      <p className="mt-1 text-muted">
        Since <Time at={creator.joinedAt} />
      </p>
      <dl className="mt-6 grid max-w-md grid-cols-3 gap-4">
        {facts.map(([name, value]) => (
          <div key={name} className="card p-4">
            <dt className="text-sm text-muted">{name}</dt>
            <dd className="number mt-1 font-semibold">{value}</dd>
          </div>
        ))}
      </dl>
      <h2 className="mt-10">Items</h2>
      {items.length === 0 ? <p className="mt-2 text-muted">Nothing is on sale now.</p> : null}
      <ItemCards base={base} items={items} pictures={page.pictures} className="mt-4 lg:grid-cols-4" />
    </Frame>
  )
}
