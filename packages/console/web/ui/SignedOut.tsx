import type { ReactNode } from "react"
import { base } from "../app/market.ts"

/** A page for somebody who is not signed in: no navigation, one column. */
export const SignedOut = ({ children, title }: { readonly title: string; readonly children: ReactNode }) => (
  <main className="mx-auto grid max-w-sm grid-cols-[minmax(0,1fr)] gap-6 px-4 py-16">
    <title>{`${title} · Agent Marketplace`}</title>
    <a href={`${base}/`} className="font-semibold text-ink no-underline">
      Agent Marketplace
    </a>
    <h1>{title}</h1>
    {children}
  </main>
)
