import type { ChannelInput } from "@agent-marketplace/client/wire/Endpoints"
import { useState } from "react"
import { Field, SelectField } from "../../../ui/Field.tsx"
import { Fold, Form } from "../../../ui/Form.tsx"
import { Notice } from "../../../ui/Page.tsx"
import { market } from "../../market.ts"
import { useAct } from "../../useAct.ts"
import type { Kind } from "./kinds.ts"
import { digests, kinds } from "./kinds.ts"

type FormKind = Exclude<Kind, "push">

const empty = { address: "", url: "", chatId: "" }

/** The form for channels other than a browser (CONSOLE-46). */
export const AddChannel = ({ available }: { readonly available: ReadonlyArray<Kind> }) => {
  const offered = (Object.keys(kinds) as ReadonlyArray<FormKind>).filter((kind) => available.includes(kind))
  const [kind, setKind] = useState<FormKind>(offered[0] ?? "slack")
  const [texts, setTexts] = useState(empty)
  const [digest, setDigest] = useState<NonNullable<ChannelInput["digest"]>>("none")
  const { data, error, isPending, issues, mutate, reset } = useAct(
    (input: ChannelInput) => market.notifications.channels.add(input),
    "channels"
  )
  const { fields } = kinds[kind]
  const submit = () => {
    const given = Object.fromEntries(fields.map(({ name }) => [name, texts[name].trim()]))
    mutate({ kind, digest, ...given }, { onSuccess: () => setTexts(empty) })
  }
  return (
    <Fold title="Add a channel">
      {available.includes("email") ? null : (
        <p className="text-muted">This market sends no e-mail: its operator has not set up a mail server.</p>
      )}
      <Form button="Add the channel" error={error} isPending={isPending} onSubmit={submit}>
        <SelectField
          label="Where"
          options={offered.map((each) => [each, kinds[each].title] as const)}
          issue={issues.get("kind")}
          value={kind}
          onChange={({ target }) => {
            setKind(target.value as FormKind)
            reset()
          }}
        />
        {fields.map(({ hint, label, name, type }) => (
          <Field
            key={name}
            label={label}
            hint={hint}
            type={type}
            required
            autoComplete={type === "email" ? "email" : "off"}
            spellCheck={false}
            issue={issues.get(name)}
            value={texts[name]}
            onChange={({ target }) => setTexts({ ...texts, [name]: target.value })}
          />
        ))}
        <SelectField
          label="When"
          hint="Purchases that wait for you are always sent at once."
          options={digests}
          value={digest}
          onChange={({ target }) => setDigest(target.value as typeof digest)}
        />
      </Form>
      {data === undefined ? null : (
        <Notice>
          {data.verified
            ? "The channel is added. Send a test message to try it."
            : `A code was sent to ${data.label}. Enter it below.`}
        </Notice>
      )}
    </Fold>
  )
}
