import type { Endpoints } from "@agent-marketplace/client/wire/Endpoints"
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query"
import { useNavigate, useParams } from "@tanstack/react-router"
import type { ChangeEvent } from "react"
import { useState } from "react"
import { Field, SelectField, TextField } from "../../ui/Field.tsx"
import { Loaded } from "../../ui/Loaded.tsx"
import { Form as Frame } from "../../ui/Form.tsx"
import { Card, Page } from "../../ui/Page.tsx"
import { confirmed, issuesOf, market, messageOf } from "../market.ts"
import { changedFields, issueOf, parts } from "../seller/ListingDraft.ts"
import { SoulPreview } from "../seller/SoulPreview.tsx"
import { soulTemplate } from "../seller/soulTemplate.ts"
import { useSingle } from "../useSingle.ts"

type Input = Endpoints["POST /api/v1/souls/create"]["input"]
type Detail = Endpoints["GET /api/souls/:slug"]["data"]["soul"]

const empty = {
  name: "",
  description: "",
  content: soulTemplate,
  price: "0",
  category: "personas",
  tags: "",
  visibility: "public"
}

type Draft = typeof empty

const visibilities = [
  ["public", "Public: everybody finds it"],
  ["private", "Private: only you can read it"]
] as const

const categories = ["personas", "skills", "knowledge", "data", "workflows", "connectors", "compute", "services"]

const inputOf = ({ category, content, description, name, price, tags, visibility }: Draft): Input => ({
  name: name.trim(),
  description: description.trim(),
  content,
  price: price.trim(),
  category: category.trim(),
  tags: parts(tags, ","),
  visibility: visibility as Input["visibility"]
})

/** The objections by field. Errors about SOULs name one field at their start: `price: …`. */
const objections = (error: unknown): ReadonlyMap<string, string> => {
  const issues = issuesOf(error)
  const [, field, text] = (error === null ? null : /^(\w+): (.+)$/s.exec(messageOf(error))) ?? []
  return issues.size > 0 || field === undefined || text === undefined ? issues : new Map([[field, text]])
}

const Form = ({
  initial,
  save,
  verb
}: {
  readonly initial: Draft
  readonly verb: string
  /** Returns the slug of the SOUL. */
  readonly save: (draft: Draft, before: Draft) => Promise<string>
}) => {
  const client = useQueryClient()
  const navigate = useNavigate()
  // The SOUL may be read again while the form is open: what is saved is the difference from what the form showed first.
  const [before] = useState(initial)
  const [draft, setDraft] = useState(initial)
  const { error, isPending, mutate } = useMutation({
    mutationFn: useSingle(() => confirmed(() => save(draft, before))),
    onSuccess: async (slug) => {
      await client.invalidateQueries({ queryKey: ["items"] })
      await client.invalidateQueries({ queryKey: ["releases", slug] })
      await navigate({ to: `/souls/${slug}` })
    }
  })
  const issues = objections(error)
  const bind = (name: keyof Draft) => ({
    value: draft[name],
    issue: issueOf(issues, name),
    onChange: ({ target }: ChangeEvent<HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement>) =>
      setDraft((current) => ({ ...current, [name]: target.value }))
  })
  return (
    <Frame button={verb} className="gap-6" error={error} isPending={isPending} onSubmit={() => mutate()}>
      <Card title="The SOUL">
        <div className="grid gap-4 sm:grid-cols-2">
          <Field label="Name" hint="3 to 100 characters." required maxLength={100} {...bind("name")} />
          <Field label="Price (USDC)" hint="0 is free." inputMode="decimal" required {...bind("price")} />
          <div className="sm:col-span-2">
            <TextField
              label="Description"
              hint="10 to 500 characters, for lists."
              rows={2}
              required
              maxLength={500}
              {...bind("description")}
            />
          </div>
          <Field
            label="Category"
            hint={`Such as ${categories.join(", ")}, or soul-developer.`}
            required
            {...bind("category")}
          />
          <Field label="Tags" hint="At most 5 in lower case, with commas between them." {...bind("tags")} />
          <SelectField label="Who can see it" options={visibilities} {...bind("visibility")} />
        </div>
      </Card>
      <div className="grid grid-cols-[minmax(0,1fr)] gap-6 lg:grid-cols-2">
        <TextField
          label="SOUL.md"
          hint="Needs a heading # SOUL or a section ## Identity. Each change of the text becomes a version and is scanned."
          className="field mt-1 py-2 font-mono text-[13px]"
          rows={32}
          required
          spellCheck
          {...bind("content")}
        />
        <SoulPreview content={draft.content} />
      </div>
    </Frame>
  )
}

const draftOf = (soul: Detail, content: string): Draft => ({
  name: soul.name,
  description: soul.description,
  content,
  price: soul.price,
  category: soul.category,
  tags: soul.tags.join(", "),
  visibility: soul.visibility ?? "public"
})

/** A SOUL with its newest text, also if that is not on sale. */
const useNewest = (slug: string) =>
  useQuery({
    queryKey: ["items", "soul", slug, "newest"],
    queryFn: async () => {
      const { soul } = await market.souls.get(slug)
      const pending = soul.pendingVersion?.version
      const content = pending === undefined ? soul.content : (await market.souls.version(slug, pending)).content
      return draftOf(soul, content)
    },
    staleTime: 0
  })

const Existing = ({ slug }: { readonly slug: string }) => (
  <Loaded query={useNewest(slug)} title="Edit SOUL">
    {(initial) => {
      const save = async (draft: Draft, before: Draft) => {
        await market.souls.update(slug, changedFields(inputOf(before), inputOf(draft)))
        return slug
      }
      return (
        <Page title={`Edit ${initial.name}`}>
          <Form initial={initial} verb="Save" save={save} />
        </Page>
      )
    }}
  </Loaded>
)

/** Makes a SOUL, or changes one, with its preview and its check beside the text (CONSOLE-23). */
const SoulForm = () => {
  const { slug }: { slug?: string } = useParams({ strict: false })
  if (slug !== undefined) return <Existing slug={slug} />
  const save = async (draft: Draft) => (await market.souls.create(inputOf(draft))).slug
  return (
    <Page title="New SOUL" lead="The character of an agent, as a text that it loads.">
      <Form initial={empty} verb="Publish" save={save} />
    </Page>
  )
}

export default SoulForm
