import { Creator } from "./Creator.tsx"
import { Frame } from "./Frame.tsx"
import { Home } from "./Home.tsx"
import { Item } from "./Item.tsx"
import { Search } from "./Search.tsx"
import type { ProblemPage, ShopPage } from "./ShopPage.ts"

const Problem = ({ base, page }: { readonly base: string; readonly page: ProblemPage }) => (
  <Frame base={base}>
    <div className="card mx-auto max-w-lg p-8 text-center">
      <h1>{page.status === 404 ? "There is no such page" : "This page cannot be shown now"}</h1>
      <p className="mt-2 text-muted">
        {page.status === 404 ? "It may have been taken off sale, or the link is wrong." : page.description}
      </p>
      <a className="button button-primary mt-4" href={`${base}/`}>
        To the shop
      </a>
    </div>
  </Frame>
)

const Content = ({ base, page }: { readonly base: string; readonly page: ShopPage }) => {
  switch (page.kind) {
    case "home":
      return <Home base={base} page={page} />
    case "search":
      return <Search base={base} page={page} />
    case "item":
      return <Item base={base} page={page} />
    case "creator":
      return <Creator base={base} page={page} />
    case "problem":
      return <Problem base={base} page={page} />
  }
}

/** A page of the shop window, which says if the shop has demonstration data (CONSOLE-56). */
export const Shop = ({ base, page }: { readonly base: string; readonly page: ShopPage }) => (
  <>
    {page.demonstration === true ? (
      <aside aria-label="Demonstration data" className="border-b border-line bg-card px-4 py-2 text-center text-sm">
        <strong className="text-warn">Demonstration data.</strong> Items by “Demo owner” and by creators with “(demo)”
        in their name belong to a demonstration with simulated money.
      </aside>
    ) : null}
    <Content base={base} page={page} />
  </>
)
