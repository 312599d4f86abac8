import type { NewAccount } from "@agent-marketplace/client/wire/Endpoints"
import { useMutation, useQueryClient } from "@tanstack/react-query"
import { Link, useNavigate } from "@tanstack/react-router"
import { useState } from "react"
import { Copy } from "../../ui/Copy.tsx"
import { Field } from "../../ui/Field.tsx"
import { Form } from "../../ui/Form.tsx"
import { Alert } from "../../ui/Page.tsx"
import { SignedOut } from "../../ui/SignedOut.tsx"
import { call, issuesOf, messageOf } from "../market.ts"
import { announceSession, sessionQuery } from "../session.ts"
import { useSingle } from "../useSingle.ts"

const signUp = call("POST /api/v1/accounts", { input: true })
const signIn = call("POST /api/v1/sessions", { input: true })

/** The first key, which no later page can show, and what to do next (CONSOLE-71). */
const FirstKey = ({ created: { account, apiKey } }: { readonly created: NewAccount }) => {
  const client = useQueryClient()
  const navigate = useNavigate()
  const { error, isPending, mutate } = useMutation({
    mutationFn: async (to: string) => ({ session: await signIn({ apiKey: apiKey.key }), to }),
    onSuccess: async ({ session, to }) => {
      announceSession()
      client.clear()
      client.setQueryData(sessionQuery.queryKey, session)
      await navigate({ to })
    }
  })
  const steps = [
    ["/security", "Add a passkey", "Then you sign in without the key."],
    ...(account.seller
      ? [["/items/new", "Make your first item", "Or a SOUL, under Items."] as const]
      : [
          ["/wallet", "Deposit USDT", "What your agents buy is paid from it."] as const,
          ["/agents", "Make an agent", "It gets limits and a key of its own."] as const
        ])
  ] as const
  return (
    <SignedOut title="Keep your key">
      <p>
        This is the key of <strong dir="auto">{account.name}</strong>. It can do everything with the account, and it is
        shown only now: store it where you keep passwords.
      </p>
      <Copy label="API key" text={apiKey.key} />
      <div>
        <h2>What to do next</h2>
        <p className="mt-1 text-sm text-muted">Once the key is stored, each of these signs you in.</p>
        <ol className="mt-2 grid list-decimal gap-1 ps-6">
          {steps.map(([to, name, why]) => (
            <li key={to}>
              <button
                type="button"
                className="link min-h-6 cursor-pointer"
                disabled={isPending}
                onClick={() => mutate(to)}
              >
                {name}
              </button>
              . {why}
            </li>
          ))}
        </ol>
      </div>
      {error === null ? null : <Alert>{messageOf(error)}</Alert>}
      <button
        type="button"
        className="button button-primary"
        disabled={isPending}
        onClick={() => mutate(account.seller ? "/items" : "/")}
      >
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
    mutationFn: useSingle(() => signUp({ name, seller, ...(email.trim() === "" ? {} : { email: email.trim() }) }))
  })
  if (data !== undefined) return <FirstKey created={data} />
  const issues = issuesOf(error)
  return (
    <SignedOut title="Sign up">
      <Form button="Make the account" error={error} isPending={isPending} onSubmit={() => mutate()}>
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
      </Form>
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
