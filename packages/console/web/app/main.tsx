import type { Session } from "@agent-marketplace/client/wire/Endpoints"
import { MutationCache, QueryCache, QueryClient, QueryClientProvider, useQuery } from "@tanstack/react-query"
import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  Outlet,
  RouterProvider,
  useMatchRoute
} from "@tanstack/react-router"
import { StrictMode, useEffect, useState } from "react"
import { createRoot } from "react-dom/client"
import "../styles.css"
import { Loaded } from "../ui/Loaded.tsx"
import { Alert, Empty } from "../ui/Page.tsx"
import { useDeferred } from "../ui/useDeferred.ts"
import { base, isSignedOut } from "./market.ts"
import { pages } from "./pages.ts"
import { onSessionChange, sessionQuery } from "./session.ts"
import { Shell } from "./Shell.tsx"
import { SignIn } from "./SignIn.tsx"

const loadSignInAgain = () => import("./SignInAgain.tsx")

/** The console of a session. If it ends, the page stays below the question to sign in again, with everything that was typed. */
const SignedIn = ({ session }: { readonly session: Session | null }) => {
  const [last, setLast] = useState(session)
  const isOther = session !== null && last !== null && session.account?.id !== last.account?.id
  if (session !== null && session !== last && !isOther) setLast(session)
  const SignInAgain = useDeferred(loadSignInAgain, last !== null)
  // The page shows what belongs to the account before.
  useEffect(() => {
    if (isOther) location.reload()
  }, [isOther])
  if (isOther) return null
  const shown = session ?? last
  if (shown === null) return <SignIn />
  return (
    <>
      <Shell session={shown} />
      {session === null && SignInAgain !== undefined ? <SignInAgain /> : null}
    </>
  )
}

const Root = () => {
  const session = useQuery(sessionQuery)
  const match = useMatchRoute()
  useEffect(() => onSessionChange(() => void client.invalidateQueries(sessionQuery)), [])
  // Nobody has a session before signing up or opening the link of the first run.
  if (match({ to: "/sign-up" }) !== false || match({ to: "/first-run" }) !== false) return <Outlet />
  return <Loaded query={session}>{(data) => <SignedIn session={data} />}</Loaded>
}

/** Takes the place of a page that fails or whose script cannot be loaded. */
const Failed = () => (
  <div className="grid gap-3 p-4">
    <Alert>This page could not be loaded. Check your connection.</Alert>
    <button type="button" className="button justify-self-start" onClick={() => location.reload()}>
      Load it again
    </button>
  </div>
)

const root = createRootRoute({
  component: Root,
  notFoundComponent: () => <Empty title="There is no such page">Choose one of the pages in the navigation.</Empty>
})

const router = createRouter({
  routeTree: root.addChildren(
    pages.map(({ load, path }) =>
      createRoute({ getParentRoute: () => root, path, component: lazyRouteComponent(load) })
    )
  ),
  basepath: `${base}/console`,
  defaultErrorComponent: Failed
})

/** Any call may be the first to find that the session has ended. */
const onError = (error: Error): void => {
  if (isSignedOut(error)) void client.invalidateQueries(sessionQuery)
}

const client = new QueryClient({
  queryCache: new QueryCache({ onError }),
  mutationCache: new MutationCache({ onError }),
  defaultOptions: {
    queries: { retry: (failures, error) => failures < 1 && !isSignedOut(error), staleTime: 5000, throwOnError: false },
    // A write without a network fails at once instead of being sent later, when nobody expects it (CONSOLE-66).
    mutations: { retry: false, networkMode: "always" }
  }
})

// All that the first page imports takes at most 180 kB (CONSOLE-2).
const container = document.getElementById("root")
if (container !== null) {
  createRoot(container).render(
    <StrictMode>
      <QueryClientProvider client={client}>
        <RouterProvider router={router} />
      </QueryClientProvider>
    </StrictMode>
  )
}
