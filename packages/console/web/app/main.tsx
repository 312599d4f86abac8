import { QueryClient, QueryClientProvider, useQuery } from "@tanstack/react-query"
import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  Outlet,
  RouterProvider,
  useMatchRoute
} from "@tanstack/react-router"
import { StrictMode } from "react"
import { createRoot } from "react-dom/client"
import "../styles.css"
import { Loaded } from "../ui/Loaded.tsx"
import { Empty } from "../ui/Page.tsx"
import { base } from "./market.ts"
import { pages } from "./pages.ts"
import { sessionQuery } from "./session.ts"
import { Shell } from "./Shell.tsx"
import { SignIn } from "./SignIn.tsx"

const Root = () => {
  const session = useQuery(sessionQuery)
  const match = useMatchRoute()
  // Nobody has a session before signing up.
  if (match({ to: "/sign-up" }) !== false) return <Outlet />
  return <Loaded query={session}>{(data) => (data === null ? <SignIn /> : <Shell session={data} />)}</Loaded>
}

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
  basepath: `${base}/console`
})

const client = new QueryClient({
  defaultOptions: { queries: { retry: 1, staleTime: 5000, throwOnError: false }, mutations: { retry: false } }
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
