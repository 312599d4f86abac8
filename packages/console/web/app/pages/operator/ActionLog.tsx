import { useState } from "react"
import { Field } from "../../../ui/Field.tsx"
import { inWords } from "../../../ui/inWords.ts"
import { Empty, Page } from "../../../ui/Page.tsx"
import { Time } from "../../../ui/Time.tsx"
import { Listed } from "./Listed.tsx"
import { operator } from "./operations.ts"

const Change = ({
  name,
  value
}: {
  readonly name: string
  readonly value: Readonly<Record<string, unknown>> | null
}) =>
  value === null ? null : (
    <div>
      <p className="text-sm text-muted">{name}</p>
      <pre className="overflow-x-auto rounded-lg bg-page p-3 font-mono text-[13px]" tabIndex={0} aria-label={name}>
        {JSON.stringify(value, null, 2)}
      </pre>
    </div>
  )

const empty = { actor: "", subject: "" }

/** Every write of an operator, newest first (CONSOLE-34). */
const ActionLog = () => {
  const [text, setText] = useState(empty)
  const [filter, setFilter] = useState(empty)
  const given = Object.fromEntries(Object.entries(filter).filter(([, value]) => value !== ""))
  return (
    <Page title="Action log" lead="What operators have done. Its entries are never changed or deleted.">
      <form
        role="search"
        className="flex flex-wrap items-end gap-3"
        onSubmit={(event) => {
          event.preventDefault()
          setFilter({ actor: text.actor.trim(), subject: text.subject.trim() })
        }}
      >
        <div className="min-w-0 basis-48 grow">
          <Field
            label="Id of what was changed"
            autoComplete="off"
            value={text.subject}
            onChange={({ target }) => setText({ ...text, subject: target.value })}
          />
        </div>
        <div className="min-w-0 basis-48 grow">
          <Field
            label="Operator"
            autoComplete="off"
            value={text.actor}
            onChange={({ target }) => setText({ ...text, actor: target.value })}
          />
        </div>
        <button className="button button-primary">Find</button>
      </form>
      <Listed
        key={`${filter.actor} ${filter.subject}`}
        queryKey={["operator", "actions", filter]}
        read={(page) => operator.actions({ ...page, ...given })}
        empty={<Empty title="No actions">Each decision of an operator appears here, with who, when and why.</Empty>}
      >
        {({ action, actor, after, at, before, id, reason, requestId, subject }) => (
          <li key={id} className="card grid grid-cols-[minmax(0,1fr)] gap-2 p-4">
            <div className="flex flex-wrap items-center justify-between gap-2">
              <h2 className="text-base">{inWords(action)}</h2>
              <span className="text-sm text-muted">
                <Time at={at} exact />
              </span>
            </div>
            <p className="text-sm text-muted wrap-anywhere" dir="auto">
              {subject}, by {actor}
            </p>
            {reason === null ? null : (
              <p className="wrap-anywhere" dir="auto">
                {reason}
              </p>
            )}
            <details>
              <summary className="cursor-pointer text-sm">Details</summary>
              <div className="mt-2 grid grid-cols-[minmax(0,1fr)] gap-2">
                <Change name="Before" value={before} />
                <Change name="After" value={after} />
                <p className="text-sm text-muted wrap-anywhere">Request {requestId}</p>
              </div>
            </details>
          </li>
        )}
      </Listed>
    </Page>
  )
}

export default ActionLog
