import type { RejectInput } from "@agent-marketplace/client/wire/OperatorEndpoints"
import { useState } from "react"
import type { Question } from "../../../ui/Confirm.tsx"
import { Confirm } from "../../../ui/Confirm.tsx"
import { SelectField, TextField } from "../../../ui/Field.tsx"
import { inWords } from "../../../ui/inWords.ts"

type Code = NonNullable<RejectInput["code"]>

/** The codes of reasons (REASON-1). The record is complete, because the type of the request demands it. */
const codes: Readonly<Record<Code, true>> = {
  malware: true,
  prompt_injection: true,
  persistence: true,
  theft: true,
  secrets: true,
  copy: true,
  impersonation: true,
  misleading: true,
  broken: true,
  spam: true,
  illegal: true,
  policy: true,
  other: true
}
const options = Object.keys(codes).map((code) => [code, inWords(code)] as const)

interface Decision {
  readonly reason: string
  readonly code: Code
  /** Set once a decision that needs a reason was tried without one. */
  readonly missing: boolean
  readonly change: (to: { readonly reason?: string; readonly code?: Code; readonly missing?: boolean }) => void
}

/** What an operator enters before deciding. */
export const useDecision = (code: Code = "other"): Decision => {
  const [state, setState] = useState({ reason: "", code, missing: false })
  return { ...state, change: (to) => setState((before) => ({ ...before, ...to })) }
}

/** The fields of a decision: the reason in words, and its kind. */
export const DecisionFields = ({
  code = false,
  decision,
  hint
}: {
  readonly decision: Decision
  /** Whether the kind of reason is asked too. */
  readonly code?: boolean
  readonly hint: string
}) => (
  <div className="grid grid-cols-[minmax(0,1fr)] gap-4">
    {code ? (
      <SelectField
        label="Kind of reason"
        options={options}
        value={decision.code}
        onChange={({ target }) => decision.change({ code: target.value as Code })}
      />
    ) : null}
    <TextField
      label="Reason"
      hint={hint}
      rows={2}
      maxLength={1000}
      dir="auto"
      value={decision.reason}
      issue={decision.missing && decision.reason.trim() === "" ? "Write the reason first." : undefined}
      onChange={({ target }) => decision.change({ reason: target.value })}
    />
  </div>
)

/** A button that asks once and then decides; without a reason that is needed, it points to the field instead. */
export const Decide = ({
  act,
  decision,
  optional = false,
  ...question
}: Omit<Question, "act"> & {
  readonly decision: Decision
  /** Whether the reason may be empty. */
  readonly optional?: boolean
  readonly label?: string
  readonly act: (reason: string, code: Code) => Promise<unknown>
}) => {
  const reason = decision.reason.trim()
  if (reason === "" && !optional)
    return (
      <button
        type="button"
        className={`button ${question.danger === true ? "button-bad" : "button-primary"}`}
        aria-label={question.label}
        onClick={() => decision.change({ missing: true })}
      >
        {question.button}
      </button>
    )
  return (
    <Confirm
      {...question}
      act={() => act(reason, decision.code)}
      onDone={() => {
        decision.change({ reason: "", missing: false })
        question.onDone?.()
      }}
    />
  )
}
