import type { ReactElement } from "react"
import { renderToStaticMarkup } from "react-dom/server"
import { Document } from "./Fields.tsx"
import { guidePage } from "./Guide.ts"
import { operationsOf, slugOf } from "./OpenApi.ts"
import { Events, eventsPath, Guide, Home, Missing, Navigation, Tag } from "./Pages.tsx"
import type { Contents, TagPage } from "./Pages.tsx"
import { pageHtml } from "./page.ts"
import { searchEntries } from "./searchEntries.ts"
import type { Renderer, Sources } from "./Sources.ts"

const contentsOf = ({ access, clientCalls, document, guides }: Sources): Contents => {
  const addresses = new Map(guides.map(({ file, name }) => [file, `{{base}}/docs/guides/${name}`]))
  const operations = operationsOf(document).map((operation) => {
    const request = `${operation.method} ${operation.path}`
    const facts = access[request]
    if (facts === undefined) throw new Error(`docs/access.md has no row for ${request}`)
    return { ...operation, access: facts, client: clientCalls[request] }
  })
  const tags = document.tags.map(({ description = "", name }): TagPage => ({
    name,
    slug: slugOf(name),
    description,
    operations: operations.filter((operation) => operation.tags.includes(name))
  }))
  return {
    tags: tags.filter((tag) => tag.operations.length > 0),
    events: Object.entries(document.webhooks).map(([path, { post }]) => ({ ...post, method: "POST", path })),
    guides: guides.map((guide) => guidePage(guide, (file) => addresses.get(file)))
  }
}

export const searchIndex: Renderer["searchIndex"] = (sources) => searchEntries(contentsOf(sources))

export const renderPages: Renderer["renderPages"] = (sources, files) => {
  const contents = contentsOf(sources)
  const pages: Record<string, string> = {}
  const add = (path: string, title: string, description: string, element: ReactElement): void => {
    const main = renderToStaticMarkup(<Document value={sources.document}>{element}</Document>)
    const nav = renderToStaticMarkup(<Navigation contents={contents} path={path} />)
    pages[path] = pageHtml({ title, description, path, main, nav }, files)
  }
  add("", "Documentation", "Guides and the API reference of the market.", <Home contents={contents} />)
  for (const guide of contents.guides)
    add(`/guides/${guide.name}`, guide.title, guide.description, <Guide guide={guide} />)
  for (const tag of contents.tags) add(`/reference/${tag.slug}`, `${tag.name} API`, tag.description, <Tag tag={tag} />)
  add(eventsPath, "Webhook events", "The events that webhooks send.", <Events events={contents.events} />)
  add("/missing", "No such page", "There is no such page.", <Missing />)
  return pages
}
