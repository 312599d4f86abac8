import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query"
import { Link, useNavigate, useRouterState } from "@tanstack/react-router"
import { useEffect, useRef } from "react"
import { MarketplaceError } from "@agent-marketplace/client/MarketplaceError"
import { Alert } from "../../ui/Page.tsx"
import { SignedOut } from "../../ui/SignedOut.tsx"
import { demonstrationQuery, openDemonstration } from "../demonstration/demonstration.ts"
import { messageOf } from "../market.ts"
import { announceSession, sessionQuery } from "../session.ts"

const Removed = () => (
  <SignedOut title="The demonstration data is removed">
    <p>
      Its purchases were refunded, its simulated money was withdrawn and its accounts were erased. The ledger keeps
      their entries without names.
    </p>
    <p>Now make your own account. Nothing of the demonstration is in it.</p>
    <Link to="/sign-up" className="button button-primary">
      Make my account
    </Link>
    <p className="text-sm text-muted">
      To sign in as the operator, who reviews items, use the token in the file{" "}
      <code className="font-mono">admin-token</code> of the data folder.
    </p>
  </SignedOut>
)

const NoLink = () => (
  <SignedOut title="Open the link from the terminal">
    <p>
      This page needs the whole link that <code className="font-mono">npm start</code> prints. Each link signs in once;
      start the server again for a new one.
    </p>
    <Link to="/" className="button">
      Sign in another way
    </Link>
  </SignedOut>
)

/** A link that another tab or another start of the server has ended. */
const reasonOf = (error: Error): string =>
  error instanceof MarketplaceError && error.statusCode === 401
    ? "This link was used, or the server was started again since. Use the newest link in the terminal, or go on in the tab that used this one."
    : messageOf(error)

const Start = ({ secret }: { readonly secret: string }) => {
  const client = useQueryClient()
  const navigate = useNavigate()
  const { data } = useQuery(demonstrationQuery)
  const { error, isPending, mutate } = useMutation({
    mutationFn: () => openDemonstration(secret),
    onSuccess: async () => {
      announceSession()
      client.clear()
      await client.fetchQuery(sessionQuery)
      await navigate({ to: "/", replace: true })
    }
  })
  const opened = useRef(false)
  useEffect(() => {
    if (opened.current) return
    opened.current = true
    mutate()
  }, [mutate])
  const made = data?.present === true
  return (
    <SignedOut title={made ? "Back to the demonstration" : "A demonstration shop"}>
      <ul className="grid list-disc gap-1 ps-6">
        <li>sellers with skills and SOULs, scanned and signed like all others, one of them with warnings</li>
        <li>customers with purchases and reviews</li>
        <li>two agents with limits, and a purchase that waits for your approval</li>
      </ul>
      <p className="text-muted">
        The money is simulated. Everything is marked as demonstration data, and one press removes it again.
      </p>
      {error === null ? (
        <p role="status">
          {made
            ? "Signing in as the demo owner."
            : "Making the shop: releases are scanned, and a deposit is confirmed on the simulated chain. This takes about five seconds."}
        </p>
      ) : (
        <>
          <Alert>{reasonOf(error)}</Alert>
          <button type="button" className="button button-primary" disabled={isPending} onClick={() => mutate()}>
            Try again
          </button>
          <Link to="/sign-up" className="link">
            Make your own account
          </Link>
        </>
      )}
    </SignedOut>
  )
}

/** The page of the printed link: it makes the demonstration and signs in (CONSOLE-53). Loading it without its script changes nothing. */
const FirstRun = () => {
  const hash = useRouterState({ select: ({ location }) => location.hash })
  if (hash === "removed") return <Removed />
  return hash === "" ? <NoLink /> : <Start secret={hash} />
}

export default FirstRun
