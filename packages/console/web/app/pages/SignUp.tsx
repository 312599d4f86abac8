import type { NewAccount } from "@agent-marketplace/client/wire/Endpoints"
import { useMutation, useQueryClient } from "@tanstack/react-query"
import { Link, useNavigate } from "@tanstack/react-router"
import { useState } from "react"
import { Copy } from "../../ui/Copy.tsx"
import { Field } from "../../ui/Field.tsx"
import { Alert } from "../../ui/Page.tsx"
import { SignedOut } from "../../ui/SignedOut.tsx"
import { call, issuesOf, messageOf } from "../market.ts"
import { sessionQuery } from "../session.ts"

const signUp = call("POST /api/v1/accounts", { input: true })
const signIn = call("POST /api/v1/sessions", { input: true })

/** The first key, which no later page can show, and what to do next. */
const FirstKey = ({ created: { account, apiKey } }: { readonly created: NewAccount }) => {
  const client = useQueryClient()
  const navigate = useNavigate()
  const { error, isPending, mutate } = useMutation({
    mutationFn: () => signIn({ apiKey: apiKey.key }),
    onSuccess: async (session) => {
      client.clear()
      client.setQueryData(sessionQuery.queryKey, session)
      await navigate({ to: account.seller ? "/items" : "/" })
    }
  })
  return (
    <SignedOut title="Keep your key">
      <p>
        This is the key of <strong dir="auto">{account.name}</strong>. It can do everything with the account, and it is
        shown only now: store it where you keep passwords.
      </p>
      <Copy label="API key" text={apiKey.key} />
      <div>
        <h2>What to do next</h2>
        <ol className="mt-2 grid list-decimal gap-1 ps-6">
          <li>Add a passkey. Then you sign in without the key.</li>
          {account.seller ? <li>Make your first item.</li> : <li>Deposit USDT, and make a key for your agent.</li>}
        </ol>
      </div>
      {error === null ? null : <Alert>{messageOf(error)}</Alert>}
      <button type="button" className="button button-primary" disabled={isPending} onClick={() => mutate()}>
        I have stored the key: sign in
      </button>
    </SignedOut>
  )
}

/** Makes an account, where the market is open for that (CONSOLE-20). */
const SignUp = () => {
  const [name, setName] = useState("")
  const [email, setEmail] = useState("")
  const [seller, setSeller] = useState(false)
  const { data, error, isPending, mutate } = useMutation({
    mutationFn: () => signUp({ name, seller, ...(email.trim() === "" ? {} : { email: email.trim() }) })
  })
  if (data !== undefined) return <FirstKey created={data} />
  const issues = issuesOf(error)
  return (
    <SignedOut title="Sign up">
      <form
        className="grid gap-4"
        onSubmit={(event) => {
          event.preventDefault()
          mutate()
        }}
      >
        <Field
          label="Name"
          hint="Shown to others as author and creator."
          autoComplete="name"
          required
          maxLength={100}
          issue={issues.get("name")}
          value={name}
          onChange={(event) => setName(event.target.value)}
        />
        <Field
          label="E-mail (optional)"
          hint="Never shown to others."
          type="email"
          autoComplete="email"
          issue={issues.get("email")}
          value={email}
          onChange={(event) => setEmail(event.target.value)}
        />
        <label className="flex min-h-10 items-center gap-3">
          <input
            type="checkbox"
            className="size-5"
            checked={seller}
            onChange={(event) => setSeller(event.target.checked)}
          />
          I want to sell
        </label>
        {error === null ? null : <Alert>{messageOf(error)}</Alert>}
        <button className="button button-primary" disabled={isPending}>
          Make the account
        </button>
      </form>
      <p className="text-sm text-muted">
        You have an account?{" "}
        <Link to="/" className="link">
          Sign in
        </Link>
      </p>
    </SignedOut>
  )
}

export default SignUp
