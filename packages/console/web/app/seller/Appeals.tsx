import type { Appeal } from "@agent-marketplace/client/wire/Endpoints"
import { useMutation, useQueryClient } from "@tanstack/react-query"
import { useState } from "react"
import { TextField } from "../../ui/Field.tsx"
import { Alert, Card } from "../../ui/Page.tsx"
import { ShowMore } from "../../ui/ShowMore.tsx"
import { Time } from "../../ui/Time.tsx"
import { confirmed, market, messageOf } from "../market.ts"
import { useMore } from "../useMore.ts"

const outcomes = {
  open: "An operator has not decided yet.",
  upheld: "The decision stays.",
  overturned: "The decision was undone."
} as const

/** A decision that can be appealed: about the item, or about the release with a version. */
export interface Decision {
  readonly version: string | null
  readonly title: string
}

const AppealForm = ({ decision, itemId }: { readonly itemId: string; readonly decision: Decision }) => {
  const client = useQueryClient()
  const [text, setText] = useState("")
  const { version } = decision
  const { error, isPending, mutate } = useMutation({
    mutationFn: () => confirmed(() => market.items.appeal(itemId, version === null ? { text } : { text, version })),
    onSuccess: () => client.invalidateQueries({ queryKey: ["appeals", itemId] })
  })
  return (
    <form
      className="grid grid-cols-[minmax(0,1fr)] gap-3"
      onSubmit={(event) => {
        event.preventDefault()
        mutate()
      }}
    >
      <TextField
        label={decision.title}
        hint="Say why the decision is wrong. Each decision can be appealed once."
        rows={4}
        required
        maxLength={2000}
        value={text}
        onChange={(event) => setText(event.target.value)}
      />
      {error === null ? null : <Alert>{messageOf(error)}</Alert>}
      <button className="button justify-self-start" disabled={isPending}>
        Send the appeal
      </button>
    </form>
  )
}

const Filed = ({ appeal: { answer, createdAt, status, text, version } }: { readonly appeal: Appeal }) => (
  <li className="grid gap-1 border-t border-line pt-3 text-sm wrap-anywhere">
    <p className="text-muted">
      Appealed <Time at={createdAt} exact />
      {version === null ? "" : `, about ${version}`}. {outcomes[status]}
    </p>
    <p dir="auto">{text}</p>
    {answer === null ? null : (
      <p>
        Answer: <span dir="auto">{answer}</span>
      </p>
    )}
  </li>
)

/** The appeals about an own item, and a form for each decision that can be appealed (CONSOLE-26). */
export const Appeals = ({
  decisions,
  itemId
}: {
  readonly itemId: string
  readonly decisions: ReadonlyArray<Decision>
}) => {
  const query = useMore(["appeals", itemId], ({ limit, page }) => market.items.appeals(itemId, { limit, page }))
  const { data = [] } = query
  const open = data.filter(({ status }) => status === "open")
  const left = decisions.filter(({ version }) => !open.some((appeal) => appeal.version === version))
  if (left.length === 0 && data.length === 0) return null
  return (
    <Card title="Appeals">
      <div className="grid grid-cols-[minmax(0,1fr)] gap-4">
        {left.map((decision) => (
          <AppealForm key={decision.version ?? ""} itemId={itemId} decision={decision} />
        ))}
        <ul className="grid grid-cols-[minmax(0,1fr)] gap-3">
          {data.map((appeal) => (
            <Filed key={appeal.id} appeal={appeal} />
          ))}
        </ul>
        <ShowMore query={query} />
      </div>
    </Card>
  )
}
