import type { OauthRequest } from "@agent-marketplace/client/wire/Endpoints"
import { useMutation, useQuery } from "@tanstack/react-query"
import { useState } from "react"
import { amountText } from "../../ui/amountText.ts"
import { Confirm } from "../../ui/Confirm.tsx"
import { Field } from "../../ui/Field.tsx"
import { Loaded } from "../../ui/Loaded.tsx"
import { Alert, Card, Empty, Notice, Page } from "../../ui/Page.tsx"
import { Time } from "../../ui/Time.tsx"
import { issuesOf, market, messageOf } from "../market.ts"

type Scope = OauthRequest["scopes"][number]

const meanings: Readonly<Record<Scope, string>> = {
  read: "Read your account: wallet, purchases, licenses and sales",
  buy: "Buy for you, within the limits that you set",
  sell: "Publish and manage what you sell, and refund sales"
}

const limits = [
  ["perTransactionLimit", "At most for one purchase (USDT)"],
  ["dailyLimit", "At most in any 24 hours (USDT)"],
  ["weeklyLimit", "At most in any 7 days (USDT)"],
  ["monthlyLimit", "At most in any 30 days (USDT)"]
] as const
type Limit = (typeof limits)[number][0]

const periods: Readonly<Record<Limit, string>> = {
  perTransactionLimit: "for one purchase",
  dailyLimit: "in 24 hours",
  weeklyLimit: "in 7 days",
  monthlyLimit: "in 30 days"
}

const noLimits: Readonly<Record<Limit, string>> = {
  perTransactionLimit: "",
  dailyLimit: "",
  weeklyLimit: "",
  monthlyLimit: ""
}

const checkbox = "size-5 shrink-0 accent-accent"
const row = "flex min-h-10 items-center gap-3"

/** Names that applications choose are cut, so that the rest stays visible. */
const foreign = (name: string): string => (name.length > 60 ? `${name.slice(0, 59)}…` : name)

const Decision = ({ request }: { readonly request: OauthRequest }) => {
  const { client, id } = request
  const name = foreign(client.name)
  const [scopes, setScopes] = useState<ReadonlyArray<Scope>>(request.scopes)
  const [autoApprove, setAutoApprove] = useState(false)
  const [amounts, setAmounts] = useState(noLimits)
  const [refusal, setRefusal] = useState<unknown>(null)
  const [done, setDone] = useState<boolean>()
  const buys = scopes.includes("buy")
  const wallet = useQuery({ queryKey: ["wallet", "balance"], queryFn: () => market.wallet.balance(), enabled: buys })
  const given = limits.flatMap(([limit]) =>
    amounts[limit].trim() === "" ? [] : [[limit, amounts[limit].trim()] as const]
  )
  const issues = issuesOf(refusal)
  const go = (approved: boolean, redirectTo: string | null) => {
    if (redirectTo === null) setDone(approved)
    else location.assign(redirectTo)
  }
  const allow = async () => {
    try {
      const policy = { ...Object.fromEntries(given), autoApprove }
      const { redirectTo } = await market.oauth.requests.decide(id, {
        approve: true,
        scopes,
        ...(buys ? { policy } : {})
      })
      setRefusal(null)
      go(true, redirectTo)
    } catch (error) {
      setRefusal(error)
      throw error
    }
  }
  const refuse = useMutation({
    mutationFn: () => market.oauth.requests.decide(id, { approve: false }),
    onSuccess: ({ redirectTo }) => go(false, redirectTo)
  })
  if (done !== undefined)
    return (
      <Notice>
        {done ? `${name} has access. You can close this page.` : "It gets no access. You can close this page."}
      </Notice>
    )
  const bounds = given.map(([limit, amount]) => `${amountText(amount)} ${periods[limit]}`).join(", ")
  const available =
    wallet.data === undefined ? "your whole balance" : `your ${amountText(wallet.data.availableBalance)}`
  const title = !buys
    ? `Give ${name} access?`
    : !autoApprove
      ? `Let ${name} ask you for purchases?`
      : given.length === 0
        ? `Let ${name} spend ${available} without asking?`
        : `Let ${name} spend up to ${bounds} without asking?`
  return (
    <>
      <Card title="It may">
        {request.scopes.map((scope) => (
          <label key={scope} className={row}>
            <input
              type="checkbox"
              className={checkbox}
              checked={scopes.includes(scope)}
              onChange={({ target }) =>
                setScopes(request.scopes.filter((one) => (one === scope ? target.checked : scopes.includes(one))))
              }
            />
            {meanings[scope]}
          </label>
        ))}
      </Card>
      {buys ? (
        <Card title="Limits">
          <div className="grid grid-cols-[minmax(0,1fr)] gap-4">
            <label className={row}>
              <input
                type="checkbox"
                className={checkbox}
                checked={autoApprove}
                onChange={({ target }) => setAutoApprove(target.checked)}
              />
              It may pay for purchases within the limits without asking. Otherwise each paid purchase waits in your
              inbox.
            </label>
            <div className="grid gap-4 sm:grid-cols-2">
              {limits.map(([limit, label]) => (
                <Field
                  key={limit}
                  label={label}
                  inputMode="decimal"
                  placeholder="no limit"
                  maxLength={20}
                  autoComplete="off"
                  value={amounts[limit]}
                  issue={issues.get(`policy.${limit}`)}
                  onChange={({ target }) => setAmounts({ ...amounts, [limit]: target.value })}
                />
              ))}
            </div>
          </div>
        </Card>
      ) : null}
      {refuse.error === null ? null : <Alert>{messageOf(refuse.error)}</Alert>}
      {scopes.length === 0 ? <Alert>Choose at least one permission, or refuse.</Alert> : null}
      <div className="flex flex-wrap gap-3">
        {scopes.length === 0 ? null : (
          <Confirm button="Allow" title={title} act={allow}>
            It gets an agent of its own, which you can limit, freeze and end at any time. It can never withdraw, approve
            purchases or change limits.
          </Confirm>
        )}
        <button type="button" className="button" disabled={refuse.isPending} onClick={() => refuse.mutate()}>
          Refuse
        </button>
      </div>
    </>
  )
}

const Asked = ({ id }: { readonly id: string }) => {
  const query = useQuery({
    queryKey: ["oauth", "request", id],
    queryFn: () => market.oauth.requests.get(id),
    staleTime: Infinity
  })
  return (
    <Loaded query={query}>
      {(request) => (
        <>
          <Card title="Who asks">
            <p className="wrap-anywhere">
              {request.client.redirectHost === null ? "A device" : "An application"} that calls itself{" "}
              <strong dir="auto">{foreign(request.client.name)}</strong> asks for access to your account. The market has
              not verified this name.{" "}
              {request.client.redirectHost === null ? (
                "Continue only if you have just started this on your own device."
              ) : (
                <>
                  Afterwards your browser goes to <strong>{request.client.redirectHost}</strong>.
                </>
              )}
            </p>
            <p className="mt-2 text-sm text-muted wrap-anywhere">
              For {request.resource}. The request ends <Time at={request.expiresAt} exact />.
            </p>
          </Card>
          <Decision request={request} />
        </>
      )}
    </Loaded>
  )
}

/** Where a person decides about an application, and limits what it may spend (CONSOLE-35). */
const Consent = () => {
  const [id] = useState(() => new URLSearchParams(location.search).get("request") ?? "")
  return (
    <Page title="Allow access?">
      {id === "" ? (
        <Empty title="No application asks">
          Start in the application or on the device that wants access. It leads you here, or shows a code to type.
        </Empty>
      ) : (
        <Asked id={id} />
      )}
    </Page>
  )
}

export default Consent
