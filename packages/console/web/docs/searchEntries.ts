import type { Contents } from "./Pages.tsx"
import { eventsPath } from "./Pages.tsx"
import type { SearchEntry } from "./search.ts"

/** The longest text of an entry, in characters. */
const longest = 400

const cut = (text: string | undefined): string => (text ?? "").replaceAll(/\s+/g, " ").trim().slice(0, longest)

/** Everything that can be found: guides, their sections, operations and events (DOCS-7). */
export const searchEntries = ({ events, guides, tags }: Contents): ReadonlyArray<SearchEntry> => [
  ...guides.flatMap(({ description, headings, name, title }): ReadonlyArray<SearchEntry> => [
    { kind: "Guide", title, path: `/guides/${name}`, text: cut(description) },
    ...headings.map((heading) => ({
      kind: title,
      title: heading.title,
      path: `/guides/${name}#${heading.id}`,
      text: cut(heading.text)
    }))
  ]),
  ...tags.flatMap(({ description, name, operations, slug }): ReadonlyArray<SearchEntry> => [
    { kind: "API", title: name, path: `/reference/${slug}`, text: cut(description) },
    ...operations.map((operation) => ({
      kind: name,
      title: operation.summary,
      path: `/reference/${slug}#${operation.operationId}`,
      text: cut(`${operation.method} ${operation.path} ${operation.operationId} ${operation.description ?? ""}`)
    }))
  ]),
  ...events.map(({ description, summary }) => ({
    kind: "Webhook event",
    title: summary,
    path: `${eventsPath}#${summary}`,
    text: cut(description)
  }))
]
