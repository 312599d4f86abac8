import type { ItemTrust } from "@agent-marketplace/client/wire/Endpoints"
import { Copy } from "../ui/Copy.tsx"
import { Html } from "../ui/Html.tsx"
import { inWords } from "../ui/inWords.ts"
import { Price } from "../ui/Money.tsx"
import { Time } from "../ui/Time.tsx"
import { TrustBadge, Verified } from "../ui/Trust.tsx"
import { Frame } from "./Frame.tsx"
import { Screenshots } from "./Pictures.tsx"
import type { ItemPage, ShownVersion } from "./ShopPage.ts"

const deliveries = {
  release: "A signed release that is stored here, and a license key.",
  link: "A link to install from, outside of this market, and a license key. What the link leads to is not verified.",
  license_only: "A license key."
} as const

const Findings = ({ trust }: { readonly trust: ItemTrust }) => {
  if (trust.level === null) return <p className="mt-2 text-muted">No release of this item was scanned.</p>
  if (trust.findings.length === 0)
    return (
      <p className="mt-2 text-muted">The rules ({trust.ruleset}) found nothing. A clean verdict is not a guarantee.</p>
    )
  return (
    <ul className="mt-3 grid gap-3">
      {trust.findings.map(({ evidence, file, level, line, message, rule }) => (
        <li key={`${rule} ${file} ${line}`} className="rounded-lg border border-line p-3 text-sm">
          <p className="flex flex-wrap gap-2">
            <span className="badge">{level}</span>
            <code className="font-mono text-[13px] wrap-anywhere">
              {rule} {file}:{line}
            </code>
          </p>
          <p className="mt-2 wrap-anywhere">{message}</p>
          <p className="mt-1 font-mono text-[13px] text-muted wrap-anywhere" dir="auto">
            {evidence}
          </p>
        </li>
      ))}
    </ul>
  )
}

const Versions = ({ versions }: { readonly versions: ReadonlyArray<ShownVersion> }) =>
  versions.length === 0 ? null : (
    <section className="card p-5" aria-label="Versions">
      <h2>Versions</h2>
      <ul className="mt-2 divide-y divide-line">
        {versions.map(({ createdAt, sha256, status, version }) => (
          <li key={version} className="flex flex-wrap items-baseline gap-x-4 gap-y-1 py-2 text-sm">
            <span className="number font-medium wrap-anywhere">{version}</span>
            {status === "published" ? null : <span className="badge">{inWords(status)}</span>}
            <span className="text-muted">
              <Time at={createdAt} />
            </span>
            {sha256 === null ? null : (
              <code className="font-mono text-xs text-muted" title={sha256}>
                sha256 {sha256.slice(0, 16)}…
              </code>
            )}
          </li>
        ))}
      </ul>
    </section>
  )

const Reviews = ({ reviews }: Pick<ItemPage, "reviews">) => (
  <section className="card p-5" aria-label="Reviews">
    <h2>Reviews</h2>
    {reviews.length === 0 ? (
      <p className="mt-2 text-muted">Nobody has reviewed this item yet. Buyers can.</p>
    ) : (
      <ul className="mt-2 divide-y divide-line">
        {reviews.map(({ comment, createdAt, id, rating }) => (
          <li key={id} className="py-3 text-sm">
            <p className="flex gap-3">
              <span aria-label={`${rating} of 5`}>{"★".repeat(rating)}</span>
              <span className="text-muted">
                <Time at={createdAt} />
              </span>
            </p>
            {comment === null ? null : (
              <p className="mt-1 wrap-anywhere whitespace-pre-line" dir="auto">
                {comment}
              </p>
            )}
          </li>
        ))}
      </ul>
    )}
  </section>
)

const Install = ({ item }: Pick<ItemPage, "item">) => (
  <section className="card p-5" aria-label="Install">
    <h2>Install</h2>
    <div className="mt-3 grid grid-cols-[minmax(0,1fr)] gap-3 text-sm">
      <p className="text-muted">From the command line:</p>
      <Copy label="command line" text={`npx @agent-marketplace/cli install ${item.slug}`} />
      <p className="text-muted">From code, with the client library:</p>
      <Copy label="client library" text={`await market.skills.buy({ skillId: "${item.id}" })`} />
      <p className="text-muted">From an agent, with the market's MCP server:</p>
      <Copy label="MCP" text={`buy { "itemId": "${item.id}" }`} />
    </div>
  </section>
)

export const Item = ({ base, page }: { readonly base: string; readonly page: ItemPage }) => {
  const { html, images, item, listing, reviews, soul, trust, versions } = page
  return (
    <Frame base={base}>
      <div className="flex flex-col gap-8 lg:flex-row">
        <div className="grid min-w-0 flex-1 grid-cols-[minmax(0,1fr)] content-start gap-6">
          <div>
            <p className="flex flex-wrap gap-2">
              <span className="badge">{item.kind === "soul" ? "SOUL" : "Skill"}</span>
              <TrustBadge level={trust.level} />
              {item.featured ? <span className="badge text-accent">Featured</span> : null}
            </p>
            <h1 className="mt-2 wrap-anywhere" dir="auto">
              {item.title}
            </h1>
            <p className="mt-1 flex flex-wrap items-center gap-2 text-muted">
              by
              <a className="link wrap-anywhere" dir="auto" href={`${base}/creators/${item.creator.id}`}>
                {item.creator.name}
              </a>
              {item.creator.verified ? <Verified /> : null}
              {trust.creator.domains.map((domain) => (
                <span key={domain} className="wrap-anywhere">
                  {domain}
                </span>
              ))}
            </p>
            <p className="mt-3 wrap-anywhere" dir="auto">
              {item.description}
            </p>
          </div>
          {html === "" ? null : (
            <section className="card p-5" aria-label={soul === null ? "Description" : "SOUL.md"}>
              <h2>{soul === null ? "Description" : "SOUL.md"}</h2>
              <Html html={html} />
              {item.kind === "soul" && soul !== null && "preview" in soul ? (
                <p className="mt-3 text-sm text-muted">This is the beginning. A license shows the whole text.</p>
              ) : null}
            </section>
          )}
          <Screenshots base={base} images={images} listing={listing} />
          <section className="card p-5" aria-label="Verdict">
            <h2>Verdict</h2>
            <Findings trust={trust} />
            {trust.reports > 0 ? <p className="mt-3 text-warn">{trust.reports} open reports</p> : null}
          </section>
          <Versions versions={versions} />
          <Reviews reviews={reviews} />
        </div>
        <div className="grid shrink-0 grid-cols-[minmax(0,1fr)] content-start gap-6 lg:w-96">
          <section className="card p-5" aria-label="Buy">
            <p className="text-2xl font-semibold">
              <Price price={item.price} currency={item.currency} pricingModel={item.pricingModel} />
            </p>
            <p className="mt-2 text-sm text-muted">{deliveries[item.delivery]}</p>
            <a className="button button-primary mt-4 w-full" href={`${base}/console/buy/${item.id}`}>
              {Number(item.price) === 0 ? "Get it" : "Buy"}
            </a>
            <dl className="mt-4 grid grid-cols-2 gap-2 text-sm">
              <dt className="text-muted">Sales</dt>
              <dd className="number text-end">{item.stats.sales}</dd>
              <dt className="text-muted">Rating</dt>
              <dd className="number text-end">{item.rating > 0 ? `${item.rating.toFixed(2)} of 5` : "none yet"}</dd>
              <dt className="text-muted">Category</dt>
              <dd className="text-end">
                <a className="link" href={`${base}/search?category=${item.category}`}>
                  {item.category}
                </a>
              </dd>
            </dl>
          </section>
          <Install item={item} />
        </div>
      </div>
    </Frame>
  )
}
