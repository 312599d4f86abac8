import type { PageHead } from "./shopDocument.ts"

type Shown =
  | { readonly kind: "home" }
  | { readonly kind: "search"; readonly query: { readonly q: string }; readonly path: string }
  | {
      readonly kind: "item"
      readonly item: { readonly title: string; readonly shortDesc: string; readonly slug: string }
      readonly images: ReadonlyArray<{ readonly kind: string; readonly full: { readonly url: string } }>
    }
  | { readonly kind: "creator"; readonly creator: { readonly id: string; readonly name: string } }
  | { readonly kind: "problem"; readonly status: number; readonly description: string }

const site = "Agent Marketplace"

/** Title, description and status of a page of the shop window. */
export const headOf = (shown: unknown): PageHead => {
  const page = shown as Shown
  switch (page.kind) {
    case "home":
      return {
        title: `${site}: skills and SOULs for AI agents`,
        description: "Find, compare and buy skills and SOULs that agents run. Every release is signed and scanned.",
        path: "/",
        status: 200
      }
    case "search":
      return {
        title: page.query.q === "" ? `All items · ${site}` : `${page.query.q} · ${site}`,
        description: "Skills and SOULs for AI agents, with prices, reviews and verdicts.",
        path: page.path,
        status: 200
      }
    case "item":
      return {
        title: `${page.item.title} · ${site}`,
        description: page.item.shortDesc,
        path: `/items/${page.item.slug}`,
        image: page.images.find(({ kind }) => kind === "thumbnail")?.full.url,
        status: 200
      }
    case "creator":
      return {
        title: `${page.creator.name} · ${site}`,
        description: `Skills and SOULs by ${page.creator.name}.`,
        path: `/creators/${page.creator.id}`,
        status: 200
      }
    case "problem":
      return {
        title: `${page.status === 404 ? "Not found" : "Unavailable"} · ${site}`,
        description: page.description,
        path: "/",
        status: page.status
      }
  }
}
