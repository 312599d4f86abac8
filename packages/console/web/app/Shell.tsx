import type { Session } from "@agent-marketplace/client/wire/Endpoints"
import { useQuery, useQueryClient } from "@tanstack/react-query"
import { Link, Navigate, Outlet, useRouterState } from "@tanstack/react-router"
import { lazy, Suspense, useEffect, useState } from "react"
import { loadConfirmDialog } from "../ui/Confirm.tsx"
import { offersDemonstration } from "./demonstration/demonstration.ts"
import { useLive } from "./live.ts"
import { base, call, market } from "./market.ts"
import { pages, sections } from "./pages.ts"
import { announceSession } from "./session.ts"

const signOut = call("DELETE /api/v1/sessions/current")

/** Loaded only where the server offers a demonstration. */
const DemonstrationBar = lazy(() => import("./demonstration/DemonstrationBar.tsx"))

/** The number of purchases that wait, beside the inbox. */
const Waiting = () => {
  const { data = [] } = useQuery({
    queryKey: ["approvals", "pending"],
    queryFn: () => market.approvals.list({ status: "pending", limit: 100 })
  })
  if (data.length === 0) return null
  return (
    <span className="number rounded-full bg-accent px-2 text-xs leading-5 font-semibold text-accent-ink">
      {data.length}
      <span className="sr-only"> waiting</span>
    </span>
  )
}

const isShown = (section: string, { account, operator }: Session): boolean =>
  section === "operator" ? operator : account !== null

/** Navigation and header around every page of the console. */
export const Shell = ({ session }: { readonly session: Session }) => {
  const client = useQueryClient()
  const offline = useLive(session)
  const [open, setOpen] = useState(false)
  // The operator's token has no account, and so no inbox.
  const shown = useRouterState({ select: ({ location, resolvedLocation }) => resolvedLocation ?? location })
  const isEmpty = shown.pathname === "/" && session.account === null
  // The dialog is then available without the network too.
  useEffect(() => void loadConfirmDialog().catch(() => undefined), [])
  const leave = async () => {
    await signOut()
    announceSession()
    client.clear()
    location.assign(`${base}/`)
  }
  return (
    <div className="min-h-screen lg:grid lg:grid-cols-[15rem_minmax(0,1fr)]">
      <a href="#main" className="sr-only focus:not-sr-only focus:p-2">
        Skip to content
      </a>
      <header className="flex items-center justify-between border-b border-line bg-card px-4 py-3 lg:hidden">
        <a href={`${base}/`} className="font-semibold text-ink no-underline">
          Agent Marketplace
        </a>
        <button
          type="button"
          className="button"
          aria-expanded={open}
          aria-controls="navigation"
          onClick={() => setOpen(!open)}
        >
          Menu
        </button>
      </header>
      <aside
        id="navigation"
        aria-label="Navigation"
        className={`${open ? "block" : "hidden"} border-line bg-card p-4 max-lg:border-b lg:block lg:min-h-screen lg:border-e`}
      >
        <a href={`${base}/`} className="mb-6 hidden font-semibold text-ink no-underline lg:block">
          Agent Marketplace
        </a>
        <nav aria-label="Console" className="grid grid-cols-[minmax(0,1fr)] gap-6">
          {sections
            .filter(([section]) => isShown(section, session) && pages.some((page) => page.section === section))
            .map(([section, title]) => (
              <div key={section}>
                <p className="mb-1 px-3 text-xs font-semibold text-muted">{title}</p>
                <ul>
                  {pages
                    .filter(({ label, section: of }) => of === section && label !== undefined)
                    .map(({ label, path }) => (
                      <li key={path}>
                        <Link
                          to={path}
                          activeOptions={{ exact: path === "/" }}
                          className="flex min-h-10 items-center justify-between rounded-lg px-3 text-ink no-underline hover:bg-page aria-[current=page]:bg-accent-soft aria-[current=page]:font-semibold"
                          onClick={() => setOpen(false)}
                        >
                          {label}
                          {path === "/" ? <Waiting /> : null}
                        </Link>
                      </li>
                    ))}
                </ul>
              </div>
            ))}
        </nav>
        <div className="mt-6 border-t border-line pt-4">
          <p className="px-3 text-sm text-muted wrap-anywhere" dir="auto">
            {session.account === null ? "Operator" : session.account.name}
          </p>
          <button type="button" className="button mt-2 w-full" onClick={() => void leave()}>
            Sign out
          </button>
        </div>
      </aside>
      <main id="main" className="mx-auto w-full max-w-5xl px-4 py-8">
        {offline ? (
          <p role="status" className="mb-4 rounded-lg border border-warn p-3 text-warn">
            You are offline, or the market cannot be reached. What you see may be old; it is renewed by itself.
          </p>
        ) : null}
        {offersDemonstration ? (
          <Suspense fallback={null}>
            <DemonstrationBar session={session} />
          </Suspense>
        ) : null}
        {isEmpty ? <Navigate to="/operator/queue" replace /> : <Outlet />}
      </main>
    </div>
  )
}
