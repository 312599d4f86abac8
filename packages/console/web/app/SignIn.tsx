import type { Session } from "@agent-marketplace/client/wire/Endpoints"
import { startAuthentication } from "@simplewebauthn/browser"
import { useMutation, useQueryClient } from "@tanstack/react-query"
import { Link } from "@tanstack/react-router"
import { useState } from "react"
import { Field } from "../ui/Field.tsx"
import { Alert } from "../ui/Page.tsx"
import { SignedOut } from "../ui/SignedOut.tsx"
import { call, isSignedOut, readFailure } from "./market.ts"
import { announceSession, sessionQuery } from "./session.ts"

const signIn = call("POST /api/v1/sessions", { input: true })
const passkeyOptions = call("POST /api/v1/sessions/passkey/options")
const passkey = call("POST /api/v1/sessions/passkey", { input: true })

/** A 401 here is about the credential, not about a session that ended. */
const signInFailure = (error: Error): string => (isSignedOut(error) ? error.message : readFailure(error))

const withPasskey = async () => {
  const optionsJSON = (await passkeyOptions()) as unknown as Parameters<typeof startAuthentication>[0]["optionsJSON"]
  const response = await startAuthentication({ optionsJSON })
  return passkey(response as unknown as Parameters<typeof passkey>[0])
}

/** The ways to sign in (CONSOLE-21). */
export const SignInForm = () => {
  const client = useQueryClient()
  const [secret, setSecret] = useState("")
  const { error, isPending, mutate } = useMutation({
    mutationFn: (how: () => Promise<Session>) => how(),
    onSuccess: (session) => {
      announceSession()
      client.setQueryData(sessionQuery.queryKey, session)
      // Reads that were refused without a session are repeated.
      return client.invalidateQueries()
    }
  })
  const withSecret = () => {
    const text = secret.trim()
    if (/^https?:\/\//i.test(text)) return signIn({ link: text })
    return text.startsWith("amk_") ? signIn({ apiKey: text }) : signIn({ adminToken: text })
  }
  return (
    <>
      <button type="button" className="button button-primary" disabled={isPending} onClick={() => mutate(withPasskey)}>
        Sign in with a passkey
      </button>
      <form
        className="grid grid-cols-[minmax(0,1fr)] gap-3"
        onSubmit={(event) => {
          event.preventDefault()
          mutate(withSecret)
        }}
      >
        <Field
          label="API key or sign-in link"
          hint="A key with the scope FULL, the whole address of a link that signs in once, or the operator's token."
          type="password"
          autoComplete="off"
          required
          value={secret}
          onChange={(event) => setSecret(event.target.value)}
        />
        <button className="button" disabled={isPending}>
          Sign in with the key
        </button>
      </form>
      {error === null ? null : <Alert>{signInFailure(error)}</Alert>}
    </>
  )
}

/** Shown instead of the opened page to somebody who is not signed in. The opened page follows after signing in. */
export const SignIn = () => (
  <SignedOut title="Sign in">
    <SignInForm />
    <p className="text-sm text-muted">
      On the machine that has your key, <code className="font-mono">agent-marketplace console</code> opens this page
      signed in.
    </p>
    <p className="text-sm text-muted">
      You have no account?{" "}
      <Link to="/sign-up" className="link">
        Sign up
      </Link>
    </p>
  </SignedOut>
)
