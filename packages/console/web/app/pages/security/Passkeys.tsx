import type { Passkey } from "@agent-marketplace/client/wire/Endpoints"
import { startRegistration } from "@simplewebauthn/browser"
import { useState } from "react"
import { Confirm } from "../../../ui/Confirm.tsx"
import { Field } from "../../../ui/Field.tsx"
import { Form } from "../../../ui/Form.tsx"
import { More } from "../../../ui/More.tsx"
import { Notice } from "../../../ui/Page.tsx"
import { Time } from "../../../ui/Time.tsx"
import { call } from "../../market.ts"
import { useAct, useRenew } from "../../useAct.ts"
import { useMore } from "../../useMore.ts"

const input = { input: true } as const
const list = call("GET /api/v1/passkeys", input)
const options = call("POST /api/v1/passkeys/options")
const register = call("POST /api/v1/passkeys", input)
const rename = call("PATCH /api/v1/passkeys/:id", input)
const remove = call("DELETE /api/v1/passkeys/:id")

type Options = Parameters<typeof startRegistration>[0]["optionsJSON"]

const Add = () => {
  const [name, setName] = useState("")
  const { data, error, isPending, issues, mutate } = useAct(async () => {
    const answer = await startRegistration({ optionsJSON: (await options()) as unknown as Options })
    return register({ ...(answer as unknown as Parameters<typeof register>[0]), name: name.trim() })
  }, "passkeys")
  return (
    <Form
      button="Add a passkey"
      error={error}
      isPending={isPending}
      onSubmit={() => mutate(undefined, { onSuccess: () => setName("") })}
    >
      <Field
        label="Name of the new passkey"
        hint="For example the device that holds it."
        required
        maxLength={100}
        dir="auto"
        issue={issues.get("name")}
        value={name}
        onChange={({ target }) => setName(target.value)}
      />
      {data === undefined ? null : <Notice>The passkey is added. You can sign in with it.</Notice>}
    </Form>
  )
}

const Rename = ({ close, passkey }: { readonly passkey: Passkey; readonly close: () => void }) => {
  const [name, setName] = useState(passkey.name)
  const { error, isPending, issues, mutate } = useAct(() => rename(passkey.id, { name: name.trim() }), "passkeys")
  return (
    <Form button="Save" error={error} isPending={isPending} onSubmit={() => mutate(undefined, { onSuccess: close })}>
      <Field
        label="Name"
        required
        maxLength={100}
        dir="auto"
        issue={issues.get("name")}
        value={name}
        onChange={({ target }) => setName(target.value)}
      />
    </Form>
  )
}

const Row = ({ passkey }: { readonly passkey: Passkey }) => {
  const { backedUp, createdAt, id, lastUsedAt, name } = passkey
  const [renaming, setRenaming] = useState(false)
  const renew = useRenew()
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-3">
      <div>
        <p className="font-medium wrap-anywhere" dir="auto">
          {name}
        </p>
        <p className="text-sm text-muted">
          Added <Time at={createdAt} />
          {lastUsedAt === null ? ", never used" : ", last used "}
          {lastUsedAt === null ? null : <Time at={lastUsedAt} exact />}
          {backedUp ? ", stored on several devices" : ""}
        </p>
      </div>
      {renaming ? <Rename passkey={passkey} close={() => setRenaming(false)} /> : null}
      <div className="flex flex-wrap gap-3">
        {renaming ? null : (
          <button type="button" className="button" aria-label={`Rename ${name}`} onClick={() => setRenaming(true)}>
            Rename
          </button>
        )}
        <Confirm
          button="Remove"
          label={`Remove ${name}`}
          title={`Remove ${name}?`}
          danger
          act={() => remove(id)}
          onDone={() => void renew("passkeys")}
        >
          Nobody can sign in with it any more. Without any passkey, withdrawals and approvals need no confirmation.
        </Confirm>
      </div>
    </div>
  )
}

/** The passkeys of the account. */
export const Passkeys = () => {
  const query = useMore(["passkeys"], ({ limit, page }) => list({ limit, page }))
  return (
    <section aria-label="Passkeys" className="grid grid-cols-[minmax(0,1fr)] gap-3">
      <h2>Passkeys</h2>
      <More
        query={query}
        label="Passkeys"
        empty={
          <p className="text-muted">
            You have none. With a passkey you sign in without a key, and withdrawals and approvals here need it.
          </p>
        }
      >
        {(passkey) => <Row passkey={passkey} />}
      </More>
      <div className="card p-5">
        <Add />
      </div>
    </section>
  )
}
