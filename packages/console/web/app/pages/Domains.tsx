import type { Domain } from "@agent-marketplace/client/wire/Endpoints"
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query"
import { useState } from "react"
import { Confirm } from "../../ui/Confirm.tsx"
import { Copy } from "../../ui/Copy.tsx"
import { Field } from "../../ui/Field.tsx"
import { Loaded } from "../../ui/Loaded.tsx"
import { Alert, Card, Empty, Page } from "../../ui/Page.tsx"
import { Time } from "../../ui/Time.tsx"
import { confirmed, issuesOf, market, messageOf } from "../market.ts"

const useRenew = () => {
  const client = useQueryClient()
  return () => client.invalidateQueries({ queryKey: ["domains"] })
}

const Add = () => {
  const renew = useRenew()
  const [domain, setDomain] = useState("")
  const { error, isPending, mutate } = useMutation({
    mutationFn: () => confirmed(() => market.domains.add({ domain: domain.trim() })),
    onSuccess: () => {
      setDomain("")
      return renew()
    }
  })
  const issue = issuesOf(error).get("domain")
  return (
    <Card title="Add a domain">
      <form
        className="grid grid-cols-[minmax(0,1fr)] gap-3"
        onSubmit={(event) => {
          event.preventDefault()
          mutate()
        }}
      >
        <Field
          label="Domain"
          hint="Such as example.com, without https://."
          required
          autoCapitalize="none"
          spellCheck={false}
          issue={issue}
          value={domain}
          onChange={(event) => setDomain(event.target.value)}
        />
        {error === null || issue !== undefined ? null : <Alert>{messageOf(error)}</Alert>}
        <button className="button button-primary justify-self-start" disabled={isPending}>
          Add
        </button>
      </form>
    </Card>
  )
}

const Proof = ({ domain: { domain, token } }: { readonly domain: Domain }) => (
  <div className="grid grid-cols-[minmax(0,1fr)] gap-3 text-sm">
    <p className="wrap-anywhere">
      Publish this text as a TXT record of <strong>{domain}</strong> or of <strong>_agent-marketplace.{domain}</strong>,
      or as a line of <strong>https://{domain}/.well-known/agent-marketplace.txt</strong>. Then check it.
    </p>
    <Copy label={`Text for ${domain}`} text={`agent-marketplace=${token}`} />
  </div>
)

const Row = ({ domain }: { readonly domain: Domain }) => {
  const renew = useRenew()
  const { checkedAt, domain: name, problem, status } = domain
  const { error, isPending, mutate } = useMutation({
    mutationFn: () => confirmed(() => market.domains.verify(name)),
    onSuccess: renew
  })
  return (
    <li className="card grid grid-cols-[minmax(0,1fr)] gap-3 p-5">
      <div className="flex flex-wrap items-center gap-3">
        <h2 className="wrap-anywhere">{name}</h2>
        <span className={`badge ${status === "verified" ? "text-good" : "text-warn"}`}>
          {status === "verified" ? "Verified" : "Not proven yet"}
        </span>
        {checkedAt === null ? null : (
          <span className="text-sm text-muted">
            Checked <Time at={checkedAt} exact />
          </span>
        )}
      </div>
      {problem === null ? null : (
        <p role="status" className="text-sm text-warn wrap-anywhere">
          {problem}
        </p>
      )}
      {status === "verified" ? null : <Proof domain={domain} />}
      {error === null ? null : <Alert>{messageOf(error)}</Alert>}
      <div className="flex flex-wrap gap-3">
        <button
          type="button"
          className="button"
          aria-label={`Check now: ${name}`}
          disabled={isPending}
          onClick={() => mutate()}
        >
          {isPending ? "Checking…" : "Check now"}
        </button>
        <Confirm
          button="Remove"
          label={`Remove ${name}`}
          title={`Remove ${name}?`}
          danger
          act={() => market.domains.remove(name)}
          onDone={() => void renew()}
        >
          {status === "verified"
            ? "Your items are no longer marked as verified, unless another domain is."
            : "To prove it later, you have to publish another text."}
        </Confirm>
      </div>
    </li>
  )
}

/** The domains that prove who the seller is (CONSOLE-29). */
const Domains = () => {
  // An account has at most 20 domains.
  const query = useQuery({ queryKey: ["domains"], queryFn: () => market.domains.list({ limit: 20 }) })
  return (
    <Page title="Domains" lead="Who proves a domain is marked as verified, beside every item.">
      <Add />
      <Loaded query={query}>
        {(domains) =>
          domains.length === 0 ? (
            <Empty title="No domains yet">Add the domain of your website. You get a text to publish there.</Empty>
          ) : (
            <ul className="grid grid-cols-[minmax(0,1fr)] gap-4">
              {domains.map((domain) => (
                <Row key={domain.domain} domain={domain} />
              ))}
            </ul>
          )
        }
      </Loaded>
    </Page>
  )
}

export default Domains
