import { useState } from "react"
import { Field } from "../../../ui/Field.tsx"
import { Fold, Form } from "../../../ui/Form.tsx"
import { Notice } from "../../../ui/Page.tsx"
import { market } from "../../market.ts"
import { useAct } from "../../useAct.ts"

export const MakeAgent = () => {
  const [name, setName] = useState("")
  const { data, error, isPending, issues, mutate } = useAct(() => market.agents.create({ name: name.trim() }), "agents")
  return (
    <Fold title="Make an agent">
      <Form
        button="Make the agent"
        error={error}
        isPending={isPending}
        onSubmit={() => mutate(undefined, { onSuccess: () => setName("") })}
      >
        <Field
          label="Name"
          hint="1 to 100 characters."
          required
          maxLength={100}
          dir="auto"
          issue={issues.get("name")}
          value={name}
          onChange={({ target }) => setName(target.value)}
        />
      </Form>
      {data === undefined ? null : (
        <Notice>
          <span dir="auto">{data.name}</span> is yours. Next, make a key for it under API keys.
        </Notice>
      )}
    </Fold>
  )
}

export const ClaimAgent = () => {
  const [code, setCode] = useState("")
  const { data, error, isPending, issues, mutate } = useAct(
    () => market.agents.claim({ claimCode: code.trim() }),
    "agents"
  )
  return (
    <Fold title="Claim an agent">
      <p className="text-muted">
        An agent that registered itself got a claim code. It spends from your wallet then; each paid purchase waits for
        you until you give it other limits.
      </p>
      <Form
        button="Claim the agent"
        error={error}
        isPending={isPending}
        onSubmit={() => mutate(undefined, { onSuccess: () => setCode("") })}
      >
        <Field
          label="Claim code"
          required
          autoComplete="off"
          spellCheck={false}
          issue={issues.get("claimCode")}
          value={code}
          onChange={({ target }) => setCode(target.value)}
        />
      </Form>
      {data === undefined ? null : (
        <Notice>
          <span dir="auto">{data.agent.name}</span> is yours now.
        </Notice>
      )}
    </Fold>
  )
}
