import type { WebhookInput } from "@agent-marketplace/client/wire/Endpoints"
import { useState } from "react"
import { Checkbox } from "../../../ui/Checkbox.tsx"
import { Field, SelectField } from "../../../ui/Field.tsx"
import { Form } from "../../../ui/Form.tsx"
import { issuesOf } from "../../market.ts"
import { eventGroups } from "./events.ts"

/** What the form sends. */
export type Endpoint = Pick<WebhookInput, "url" | "events">

type Events = Endpoint["events"]

const Choices = ({ chosen, onChange }: { readonly chosen: Events; readonly onChange: (events: Events) => void }) => (
  <div className="grid grid-cols-[minmax(0,1fr)] gap-4">
    {eventGroups.map(([group, events]) => (
      <fieldset key={group}>
        <legend className="text-sm font-medium">{group}</legend>
        <div className="mt-1 grid grid-cols-[minmax(0,1fr)] gap-x-6 sm:grid-cols-2">
          {events.map(([name, meaning]) => (
            <Checkbox
              key={name}
              checked={chosen.includes(name)}
              onChange={(checked) => {
                const rest = chosen.filter((each) => each !== name)
                onChange(checked ? [...rest, name] : rest)
              }}
            >
              {meaning} <code className="block font-mono text-[13px] text-muted">{name}</code>
            </Checkbox>
          ))}
        </div>
      </fieldset>
    ))}
  </div>
)

/** The address of an endpoint and the events that it gets. */
export const EndpointForm = ({
  before,
  button,
  error,
  isPending,
  save
}: {
  /** The present values of an endpoint that is changed. */
  readonly before?: Endpoint
  readonly button: string
  readonly error: Error | null
  readonly isPending: boolean
  readonly save: (endpoint: Endpoint) => void
}) => {
  const [url, setUrl] = useState(before?.url ?? "")
  const [all, setAll] = useState(before === undefined || before.events.includes("*"))
  const [chosen, setChosen] = useState<Events>(before?.events.filter((event) => event !== "*") ?? [])
  const issues = issuesOf(error)
  return (
    <Form
      button={button}
      error={error}
      isPending={isPending}
      onSubmit={() => save({ url: url.trim(), events: all ? ["*"] : chosen })}
    >
      <Field
        label="Address"
        hint="An https:// address of your server that anybody can reach."
        type="url"
        required
        maxLength={2048}
        spellCheck={false}
        autoComplete="off"
        issue={issues.get("url")}
        value={url}
        onChange={({ target }) => setUrl(target.value)}
      />
      <SelectField
        label="Events"
        options={[
          ["all", "All, also those that are added later"],
          ["some", "Only those that I choose"]
        ]}
        issue={issues.get("events")}
        value={all ? "all" : "some"}
        onChange={({ target }) => setAll(target.value === "all")}
      />
      {all ? null : <Choices chosen={chosen} onChange={setChosen} />}
    </Form>
  )
}
