import type { IssuedKey, KeyInput } from "@agent-marketplace/client/wire/Endpoints"
import { useQuery } from "@tanstack/react-query"
import { useState } from "react"
import { Copy } from "../../../ui/Copy.tsx"
import { Field, SelectField } from "../../../ui/Field.tsx"
import { Fold, Form } from "../../../ui/Form.tsx"
import { Notice } from "../../../ui/Page.tsx"
import { market } from "../../market.ts"
import { useAct } from "../../useAct.ts"

const scopes = [
  ["READ", "READ: reads"],
  ["BUYER", "BUYER: reads and buys"],
  ["SELLER", "SELLER: reads, publishes and sells"],
  ["FULL", "FULL: everything, also withdrawals"]
] as const

const days = [
  ["", "Never"],
  ["30", "In 30 days"],
  ["90", "In 90 days"],
  ["365", "In a year"]
] as const

/** A new key in the only moment in which it is shown. */
export const Issued = ({ issued }: { readonly issued: IssuedKey }) => (
  <div className="grid grid-cols-[minmax(0,1fr)] gap-3">
    <Notice>Copy the key now: it is shown only this once.</Notice>
    <Copy label="new key" text={issued.key} />
  </div>
)

const useAgents = (): ReadonlyArray<readonly [id: string, name: string]> => {
  const { data = [] } = useQuery({
    queryKey: ["agents", "all"],
    queryFn: async () => {
      const all: Array<readonly [id: string, name: string]> = []
      for await (const { id, name, retiredAt } of market.agents.iterate()) if (retiredAt === null) all.push([id, name])
      return all
    }
  })
  return data
}

export const NewKey = () => {
  const [name, setName] = useState("")
  const [scope, setScope] = useState<KeyInput["scope"]>("READ")
  const [agentId, setAgentId] = useState("")
  const [expires, setExpires] = useState("90")
  const agents = useAgents()
  const { data, error, isPending, issues, mutate } = useAct((input: KeyInput) => market.keys.create(input), "keys")
  const submit = () => {
    const expiresAt = expires === "" ? null : new Date(Date.now() + Number(expires) * 86_400_000).toISOString()
    const input = { name: name.trim(), scope, agentId: agentId === "" ? null : agentId, expiresAt }
    mutate(input, { onSuccess: () => setName("") })
  }
  return (
    <Fold title="Make a key">
      <Form button="Make the key" error={error} isPending={isPending} onSubmit={submit}>
        <Field
          label="Name"
          hint="Distinguishes the key from others, for example by where it is stored."
          required
          maxLength={100}
          dir="auto"
          issue={issues.get("name")}
          value={name}
          onChange={({ target }) => setName(target.value)}
        />
        <SelectField
          label="What it may do"
          options={scopes}
          issue={issues.get("scope")}
          value={scope}
          onChange={({ target }) => setScope(target.value as KeyInput["scope"])}
        />
        <SelectField
          label="Who acts with it"
          options={[["", "You"], ...agents]}
          issue={issues.get("agentId")}
          value={agentId}
          onChange={({ target }) => setAgentId(target.value)}
        />
        <SelectField
          label="Expires"
          options={days}
          issue={issues.get("expiresAt")}
          value={expires}
          onChange={({ target }) => setExpires(target.value)}
        />
      </Form>
      {data === undefined ? null : <Issued issued={data} />}
    </Fold>
  )
}
