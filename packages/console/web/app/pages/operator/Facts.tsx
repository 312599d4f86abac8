import { Link } from "@tanstack/react-router"
import type { ReactNode } from "react"

/** Names and values; rows whose value is null are left out. */
export const Facts = ({ rows }: { readonly rows: ReadonlyArray<readonly [name: string, value: ReactNode]> }) => (
  <dl className="grid gap-x-6 gap-y-2 sm:grid-cols-[12rem_minmax(0,1fr)]">
    {rows
      .filter(([, value]) => value !== null)
      .map(([name, value]) => (
        <div key={name} className="contents">
          <dt className="text-sm text-muted max-sm:-mb-2">{name}</dt>
          <dd className="wrap-anywhere" dir="auto">
            {value}
          </dd>
        </div>
      ))}
  </dl>
)

const link = "link font-mono text-[13px] wrap-anywhere"

/** Leads to what an operator sees of an item. */
export const ItemLink = ({ id }: { readonly id: string }) => (
  <Link to={`/operator/items/${encodeURIComponent(id)}`} className={link}>
    {id}
  </Link>
)

/** Leads to what an operator sees of an account. */
export const AccountLink = ({ id }: { readonly id: string }) => (
  <Link to={`/operator/accounts/${encodeURIComponent(id)}`} className={link}>
    {id}
  </Link>
)

const hour = 3_600_000

/** How long something waits: whole hours up to two days, then days. More than a day is late (OPERATOR-13). */
export const Age = ({ since }: { readonly since: string }) => {
  const hours = Math.max(0, Math.floor((Date.now() - Date.parse(since)) / hour))
  const text = hours < 1 ? "less than an hour" : hours < 48 ? `${hours} h` : `${Math.floor(hours / 24)} days`
  return (
    <span className={`badge ${hours >= 24 ? "text-warn" : ""}`}>
      <time dateTime={since} title={new Date(since).toLocaleString()}>
        waits {text}
      </time>
    </span>
  )
}
