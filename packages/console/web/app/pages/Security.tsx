import type { ListedSession } from "@agent-marketplace/client/wire/Endpoints"
import { Confirm } from "../../ui/Confirm.tsx"
import { More } from "../../ui/More.tsx"
import { Page } from "../../ui/Page.tsx"
import { Time } from "../../ui/Time.tsx"
import { market } from "../market.ts"
import { useRenew } from "../useAct.ts"
import { useMore } from "../useMore.ts"
import { browserOf } from "./security/browserOf.ts"
import { Passkeys } from "./security/Passkeys.tsx"

const methods = { key: "a key", link: "a link", admin_token: "the operator's token", passkey: "a passkey" } as const

const Row = ({ session }: { readonly session: ListedSession }) => {
  const { createdAt, current, id, lastUsedAt, method, userAgent } = session
  const renew = useRenew()
  return (
    <div className="flex flex-wrap items-center justify-between gap-3">
      <div className="min-w-0 flex-1 basis-40">
        <p className="font-medium wrap-anywhere" dir="auto" title={userAgent ?? undefined}>
          {browserOf(userAgent)} {current ? <span className="badge text-good">This one</span> : null}
        </p>
        <p className="text-sm text-muted">
          Signed in with {methods[method]} <Time at={createdAt} exact />, last used <Time at={lastUsedAt} exact />
        </p>
      </div>
      {current ? null : (
        <Confirm
          button="Sign out"
          label={`Sign out the session of ${new Date(createdAt).toLocaleString()}`}
          title="Sign out this session?"
          danger
          act={() => market.sessions.end(id)}
          onDone={() => void renew("sessions")}
        >
          That browser has to sign in again.
        </Confirm>
      )}
    </div>
  )
}

/** Ends every session but this one, also those on pages that are not shown. */
const signOutElsewhere = async () => {
  const others: Array<string> = []
  for await (const { current, id } of market.sessions.iterate()) if (!current) others.push(id)
  for (const id of others) await market.sessions.end(id)
}

/** Sessions and passkeys (CONSOLE-17). */
const Security = () => {
  const query = useMore(["sessions"], ({ limit, page }) => market.sessions.list({ limit, page }))
  const renew = useRenew()
  return (
    <Page title="Sign-in" lead="How people sign in to this account, and where they are signed in.">
      <Passkeys />
      <section aria-label="Sessions" className="grid grid-cols-[minmax(0,1fr)] gap-3">
        <div className="flex flex-wrap items-center justify-between gap-3">
          <h2>Sessions</h2>
          {(query.data ?? []).some(({ current }) => !current) ? (
            <Confirm
              button="Sign out elsewhere"
              title="Sign out everywhere else?"
              danger
              act={signOutElsewhere}
              onDone={() => void renew("sessions")}
            >
              Every other browser has to sign in again. This one stays signed in.
            </Confirm>
          ) : null}
        </div>
        <More query={query} label="Sessions" empty={<p className="text-muted">Nobody is signed in.</p>}>
          {(session) => <Row session={session} />}
        </More>
      </section>
    </Page>
  )
}

export default Security
