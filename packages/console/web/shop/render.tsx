import { renderToString } from "react-dom/server"
import { markdownToHtml } from "../ui/markdown.ts"
import { remembered } from "./remembered.ts"
import { Shop } from "./Shop.tsx"
import type { ItemPage, ShopPage } from "./ShopPage.ts"

const textOf = ({ item, listing, soul }: ItemPage): string => {
  const text = soul === null ? (listing?.longDescription ?? "") : soul.content
  return text === item.description ? "" : text
}

const htmlOf = remembered(markdownToHtml)

/** Runs in the server: adds to a page what only the server can make. */
export const complete = (page: ShopPage): ShopPage =>
  page.kind === "item" ? { ...page, html: htmlOf(textOf(page)) } : page

/** Runs in the server: a page of the shop window as HTML. */
export const render = (page: ShopPage, base: string): string => renderToString(<Shop base={base} page={page} />)
