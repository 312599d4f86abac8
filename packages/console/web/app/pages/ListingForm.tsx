import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query"
import { useNavigate, useParams } from "@tanstack/react-router"
import type { ChangeEvent } from "react"
import { useState } from "react"
import { Field, SelectField, TextField } from "../../ui/Field.tsx"
import { Loaded } from "../../ui/Loaded.tsx"
import { Markdown } from "../../ui/Markdown.tsx"
import { Form as Frame } from "../../ui/Form.tsx"
import { Card, Page } from "../../ui/Page.tsx"
import { confirmed, issuesOf, market } from "../market.ts"
import { useSingle } from "../useSingle.ts"
import type { ListingDraft } from "../seller/ListingDraft.ts"
import { changedFields, draftOf, emptyListing, issueOf, listingInput } from "../seller/ListingDraft.ts"
import { listingQuery } from "../seller/queries.ts"

const categories = [
  "productivity",
  "automation",
  "creative",
  "data",
  "communication",
  "development",
  "analytics",
  "security"
].map((name) => [name, name] as const)

const models = [
  ["one_time", "Paid once"],
  ["subscription", "Paid every 30 days"]
] as const

const currencies = ["USDT", "USDC", "USD"].map((name) => [name, name] as const)

const Form = ({
  initial,
  save,
  verb
}: {
  readonly initial: ListingDraft
  readonly verb: string
  /** Returns the id of the listing. */
  readonly save: (draft: ListingDraft, before: ListingDraft) => Promise<string>
}) => {
  const client = useQueryClient()
  const navigate = useNavigate()
  // The item may be read again while the form is open: what is saved is the difference from what the form showed first.
  const [before] = useState(initial)
  const [draft, setDraft] = useState(initial)
  const { error, isPending, mutate } = useMutation({
    mutationFn: useSingle(() => confirmed(() => save(draft, before))),
    onSuccess: async (id) => {
      await client.invalidateQueries({ queryKey: ["items"] })
      await navigate({ to: `/items/${id}` })
    }
  })
  const issues = issuesOf(error)
  const bind = (name: keyof ListingDraft) => ({
    value: draft[name],
    issue: issueOf(issues, name),
    onChange: ({ target }: ChangeEvent<HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement>) =>
      setDraft((current) => ({ ...current, [name]: target.value }))
  })
  return (
    <Frame button={verb} className="gap-6" error={error} isPending={isPending} onSubmit={() => mutate()}>
      <Card title="The item">
        <div className="grid grid-cols-[minmax(0,1fr)] gap-4">
          <Field label="Name" hint="3 to 50 characters." required maxLength={50} {...bind("name")} />
          <Field
            label="Description"
            hint="10 to 200 characters, for lists."
            required
            maxLength={200}
            {...bind("description")}
          />
          <SelectField label="Category" options={categories} {...bind("category")} />
          <Field label="Tags" hint="At most 5, with commas between them." {...bind("tags")} />
        </div>
      </Card>
      <Card title="Price">
        <div className="grid gap-4 sm:grid-cols-2">
          <Field label="Price" hint="More than 1." inputMode="decimal" required {...bind("price")} />
          <SelectField label="Currency" options={currencies} {...bind("currency")} />
          <SelectField label="Payment" options={models} {...bind("pricingModel")} />
          <Field
            label="Machines for each license (optional)"
            hint="Empty: no limit."
            type="number"
            min={1}
            step={1}
            {...bind("maxActivations")}
          />
        </div>
      </Card>
      <Card title="Full description">
        <div className="grid gap-4 lg:grid-cols-2">
          <TextField label="Text (Markdown, optional)" rows={14} maxLength={50_000} {...bind("longDescription")} />
          <section aria-label="Preview" className="min-w-0">
            <p className="text-sm font-medium">Preview</p>
            {draft.longDescription.trim() === "" ? (
              <p className="mt-1 text-muted">What you write appears here as buyers see it.</p>
            ) : (
              <Markdown text={draft.longDescription} />
            )}
          </section>
        </div>
      </Card>
      <Card title="Links">
        <div className="grid grid-cols-[minmax(0,1fr)] gap-4">
          <Field
            label="Address to install from"
            hint="HTTPS. Only license holders see it. Once a release is on sale, buyers get the release instead."
            type="url"
            required
            {...bind("installUrl")}
          />
          <Field label="Documentation (optional)" hint="HTTPS." type="url" {...bind("documentationUrl")} />
          <Field label="Demo (optional)" hint="HTTPS." type="url" {...bind("videoUrl")} />
          <TextField
            label="Screenshots (optional)"
            hint="At most 10 HTTPS addresses, one a line."
            rows={3}
            {...bind("screenshots")}
          />
        </div>
      </Card>
    </Frame>
  )
}

const Existing = ({ id }: { readonly id: string }) => (
  <Loaded query={useQuery(listingQuery(id))} title="Edit skill">
    {(listing) => {
      const save = async (draft: ListingDraft, before: ListingDraft) => {
        await market.listings.update(id, changedFields(listingInput(before), listingInput(draft)))
        return id
      }
      return (
        <Page title={`Edit ${listing.name}`} lead="A new name, address or payment may wait for an operator.">
          <Form initial={draftOf(listing)} verb="Save" save={save} />
        </Page>
      )
    }}
  </Loaded>
)

/** Makes a listing, or changes one (CONSOLE-23). */
const ListingForm = () => {
  const { id }: { id?: string } = useParams({ strict: false })
  if (id !== undefined) return <Existing id={id} />
  const save = async (draft: ListingDraft) => (await market.listings.create(listingInput(draft))).id
  return (
    <Page title="New skill" lead="Buyers see it once it is approved.">
      <Form initial={emptyListing} verb="Submit" save={save} />
    </Page>
  )
}

export default ListingForm
