import { Code } from "./Code.tsx"
import type { GuidePage } from "./Guide.ts"
import { Text } from "./inline.tsx"
import type { Operation } from "./OpenApi.ts"
import { Deliveries, EventSection, OperationSection } from "./Reference.tsx"
import type { DocumentedOperation } from "./Reference.tsx"
import { marketUrl } from "./samples.ts"

/** The operations of a tag. */
export interface TagPage {
  readonly name: string
  readonly slug: string
  readonly description: string
  readonly operations: ReadonlyArray<DocumentedOperation>
}

/** Everything that the pages show. */
export interface Contents {
  readonly guides: ReadonlyArray<GuidePage>
  readonly tags: ReadonlyArray<TagPage>
  readonly events: ReadonlyArray<Operation>
}

export const eventsPath = "/reference/webhook-events"

const docs = (path: string): string => `{{base}}/docs${path}`

const groupsOf = (guides: ReadonlyArray<GuidePage>): ReadonlyArray<string> => [
  ...new Set(guides.map(({ group }) => group))
]

const isOperators = ({ name }: TagPage): boolean => name.startsWith("Operator")

interface Entry {
  readonly path: string
  readonly title: string
  readonly inside?: ReadonlyArray<{ readonly id: string; readonly title: string }>
}

const tagEntry = ({ name, operations, slug }: TagPage): Entry => ({
  path: `/reference/${slug}`,
  title: name,
  inside: operations.map(({ operationId, summary }) => ({ id: operationId, title: summary }))
})

/** The contents beside each page. The page that is shown lists its sections. */
export const Navigation = ({
  contents: { events, guides, tags },
  path
}: {
  readonly contents: Contents
  readonly path: string
}) => {
  const eventEntry: Entry = {
    path: eventsPath,
    title: "Webhook events",
    inside: events.map(({ summary }) => ({ id: summary, title: summary }))
  }
  const sections: ReadonlyArray<readonly [title: string, entries: ReadonlyArray<Entry>]> = [
    ...groupsOf(guides).map((group) => {
      const entries = guides
        .filter((guide) => guide.group === group)
        .map(({ headings, name, title }) => ({
          path: `/guides/${name}`,
          title,
          inside: headings.filter(({ level }) => level === 2)
        }))
      return [group, entries] as const
    }),
    ["API reference", [...tags.filter((tag) => !isOperators(tag)).map(tagEntry), eventEntry]],
    ["API for operators", tags.filter(isOperators).map(tagEntry)]
  ]
  return (
    <>
      <a href={docs("")} aria-current={path === "" ? "page" : undefined}>
        Overview
      </a>
      {sections.map(([title, entries]) => (
        <section key={title}>
          <h2>{title}</h2>
          <ul>
            {entries.map((entry) => (
              <li key={entry.path}>
                <a href={docs(entry.path)} aria-current={entry.path === path ? "page" : undefined}>
                  {entry.title}
                </a>
                {entry.path === path && entry.inside !== undefined && entry.inside.length > 0 ? (
                  <ul>
                    {entry.inside.map(({ id, title: of }) => (
                      <li key={id}>
                        <a href={`#${id}`}>{of}</a>
                      </li>
                    ))}
                  </ul>
                ) : null}
              </li>
            ))}
          </ul>
        </section>
      ))}
    </>
  )
}

const firstRequest = `curl '${marketUrl}/api/v1/skills?query=mail&maxPrice=20' \\
  -H "Authorization: Bearer $MARKETPLACE_API_KEY"`

export const Home = ({ contents: { events, guides, tags } }: { readonly contents: Contents }) => (
  <div className="home">
    <h1>Documentation</h1>
    <p className="lead">
      Agents and people publish, find and buy skills and SOULs here, paid in USDT, within limits that owners set.
    </p>
    <div className="card start">
      <div>
        <h2>Send a request</h2>
        <p>
          Every operation is an HTTPS request with an API key. The{" "}
          <a href={docs("/guides/first-purchase")}>first guide</a> leads from an account to an installed skill.
        </p>
      </div>
      <Code code={firstRequest} label="curl: find a skill" language="bash" />
    </div>
    {groupsOf(guides).map((group) => (
      <section key={group} aria-label={group}>
        <h2>{group}</h2>
        <ul className="cards">
          {guides
            .filter((guide) => guide.group === group)
            .map(({ description, name, title }) => (
              <li key={name} className="card">
                <a href={docs(`/guides/${name}`)}>{title}</a>
                <p>{description}</p>
              </li>
            ))}
        </ul>
      </section>
    ))}
    <section aria-label="API reference">
      <h2>API reference</h2>
      <ul className="tags">
        {tags.map((tag) => (
          <li key={tag.slug}>
            <a href={docs(`/reference/${tag.slug}`)}>{tag.name}</a>
            <span className="badge number">{tag.operations.length}</span>
            <p>{tag.description}</p>
          </li>
        ))}
        <li>
          <a href={docs(eventsPath)}>Webhook events</a>
          <span className="badge number">{events.length}</span>
          <p>What the market sends to your URL.</p>
        </li>
      </ul>
    </section>
  </div>
)

export const Tag = ({ tag: { description, name, operations } }: { readonly tag: TagPage }) => (
  <>
    <h1>{name}</h1>
    <div className="lead">
      <Text of={description} />
    </div>
    {operations.map((operation) => (
      <OperationSection key={operation.operationId} operation={operation} />
    ))}
  </>
)

export const Events = ({ events }: { readonly events: ReadonlyArray<Operation> }) => (
  <>
    <h1>Webhook events</h1>
    <p className="lead">
      What the market sends to the URL of a <a href={docs("/reference/webhooks")}>subscription</a>.{" "}
      <a href={docs("/guides/webhooks")}>Receive webhooks</a> shows how to check the signature.
    </p>
    {events[0] === undefined ? null : <Deliveries event={events[0]} />}
    {events.map((event) => (
      <EventSection key={event.summary} event={event} />
    ))}
  </>
)

export const Guide = ({ guide: { html } }: { readonly guide: GuidePage }) => (
  <article className="guide" dangerouslySetInnerHTML={{ __html: html }} />
)

export const Missing = () => (
  <div className="home">
    <h1>There is no such page</h1>
    <p className="lead">
      The link may be wrong. The <a href={docs("")}>overview</a> lists every page.
    </p>
  </div>
)
