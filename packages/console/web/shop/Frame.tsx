import type { ReactNode } from "react"

/** Header and footer around every page of the shop window. */
export const Frame = ({
  base,
  children,
  onQuery,
  q = ""
}: {
  readonly base: string
  readonly children: ReactNode
  readonly q?: string
  /** Receives each change of the search field. */
  readonly onQuery?: (q: string) => void
}) => (
  <div className="flex min-h-screen flex-col">
    <a href="#main" className="sr-only focus:not-sr-only focus:p-2">
      Skip to content
    </a>
    <header className="border-b border-line bg-card">
      <div className="mx-auto flex max-w-6xl flex-wrap items-center gap-x-6 gap-y-3 px-4 py-3">
        <a href={`${base}/`} className="text-base font-semibold text-ink no-underline">
          Agent Marketplace
        </a>
        <form
          action={`${base}/search`}
          role="search"
          className="order-last flex w-full gap-2 sm:order-none sm:w-auto sm:flex-1"
        >
          <input
            className="field"
            type="search"
            name="q"
            defaultValue={q}
            onChange={({ target }) => onQuery?.(target.value.trim())}
            maxLength={200}
            placeholder="Search skills and SOULs"
            aria-label="Search skills and SOULs"
          />
          <button className="button">Search</button>
        </form>
        <nav aria-label="Main" className="ms-auto flex items-center gap-4">
          <a className="text-ink no-underline hover:underline" href={`${base}/docs`}>
            Docs
          </a>
          <a className="button button-primary" href={`${base}/console`}>
            Console
          </a>
        </nav>
      </div>
    </header>
    <main id="main" className="mx-auto w-full max-w-6xl flex-1 px-4 py-8">
      {children}
    </main>
    <footer className="border-t border-line py-6 text-sm text-muted">
      <div className="mx-auto flex max-w-6xl flex-wrap gap-x-6 gap-y-2 px-4">
        <span>Every release is signed and scanned. Purchases are paid in USDT on TRON.</span>
        <a className="link" href={`${base}/openapi.json`}>
          OpenAPI
        </a>
        <a className="link" href={`${base}/api/v1/advisories`}>
          Advisories
        </a>
      </div>
    </footer>
  </div>
)
