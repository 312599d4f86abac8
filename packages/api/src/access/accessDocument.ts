import type { AccountId, AgentId, KeyId, SessionId } from "@agent-marketplace/core/ids/Ids"
import type { Scope } from "@agent-marketplace/core/identity/ApiKey"
import type { Caller } from "@agent-marketplace/core/identity/Caller"
import { Context, Result } from "effect"
import type { HttpApiEndpoint } from "effect/http-api"
import { MarketApi } from "../MarketApi.ts"
import { Access, checkAccess, checkFreeze, ServesFrozen, servesWithoutAccount } from "./Access.ts"
import type { AccessRule } from "./Access.ts"

const frozen = { since: 0, reason: null }

const caller = (scope: Scope, more: Partial<Caller> = {}): Caller => ({
  keyId: "key_1" as KeyId,
  scope,
  agentId: null,
  accountId: "usr_1" as AccountId,
  accountName: "Ada",
  seller: true,
  tier: "free",
  hourlyLimit: null,
  expiresAt: null,
  frozen: null,
  agentFrozen: null,
  ...more
})

const agent = { agentId: "agt_1" as AgentId }
const unclaimed: Partial<Caller> = { ...agent, accountId: null, accountName: null, seller: false }

/** A session, with whether it acts as the operator; the session of the operator's token has no account. */
interface SessionKind {
  readonly account: Caller | null
  readonly operator: boolean
}

type Kind = Caller | SessionKind | "none" | "ended" | "operator"

const signedIn = (more: Partial<Caller> = {}): Caller =>
  caller("FULL", { session: { id: "ses_1" as SessionId, elevatedUntil: null, hasPasskey: false }, ...more })

const scopes: ReadonlyArray<Scope> = ["READ", "BUYER", "SELLER", "FULL"]

const eachScope = (name: string, more: Partial<Caller> = {}): Readonly<Record<string, Kind>> =>
  Object.fromEntries(scopes.map((scope) => [`${name}${scope}`, caller(scope, more)]))

/**
 * Every kind of caller by its column, in the tables of the page. "none" is a request without a key, "ended" is one with a key that does not
 * work any more, "operator" is one with the operator's token. A session acts as a FULL key of its account.
 */
const tables: Readonly<Record<string, Readonly<Record<string, Kind>>>> = {
  "Keys of an active account": {
    ...eachScope(""),
    "FULL, no seller": caller("FULL", { seller: false }),
    "FULL, rotated": caller("FULL"),
    ...eachScope("agent ", agent),
    unclaimed: caller("FULL", unclaimed)
  },
  "Keys of a frozen account or of a frozen agent": {
    ...eachScope("frozen account ", { frozen }),
    ...eachScope("frozen account's agent ", { ...agent, frozen }),
    ...eachScope("frozen agent ", { ...agent, agentFrozen: frozen })
  },
  "No key, keys that do not work any more, and the operator": {
    none: "none",
    deactivated: "ended",
    expired: "ended",
    "rotated, after the grace": "ended",
    "retired agent": "ended",
    "erased account": "ended",
    "erased account's agent": "ended",
    operator: "operator"
  },
  "Sessions of people in a browser": {
    session: { account: signedIn(), operator: false },
    "session, no seller": { account: signedIn({ seller: false }), operator: false },
    "frozen account's session": { account: signedIn({ frozen }), operator: false },
    "session of an operator's account": { account: signedIn(), operator: true },
    "session of the operator's token": { account: null, operator: true }
  }
}

const open = "yes"

const withoutKey = ({ _tag }: AccessRule): string => (_tag === "Public" || _tag === "Signup" ? open : "401")

const asOperator = (rule: AccessRule): string => {
  if (rule._tag === "Public" || rule._tag === "Signup" || rule._tag === "Admin") return open
  return rule._tag === "Write" && rule.orAdmin ? open : "401"
}

const withKey = (rule: AccessRule, servesFrozen: boolean, who: Caller): string => {
  if (rule._tag === "Public" || rule._tag === "Signup") return open
  const checked = Result.flatMap(
    Result.mapError(checkAccess(rule, who), ({ _tag }) => (_tag === "AgentNotClaimed" ? "unclaimed" : "403")),
    () => (servesFrozen ? Result.void : Result.mapError(checkFreeze(who), () => "frozen"))
  )
  return Result.match(checked, { onSuccess: () => open, onFailure: (refusal) => refusal })
}

const withoutAccount = (rule: AccessRule): string => {
  if (servesWithoutAccount(rule)) return open
  return rule._tag === "OwnSession" || rule._tag === "Person" ? "403" : "401"
}

const withSession = (rule: AccessRule, servesFrozen: boolean, { account, operator }: SessionKind): string => {
  if (operator && asOperator(rule) === open) return open
  return account === null ? withoutAccount(rule) : withKey(rule, servesFrozen, account)
}

/** A definition as the table reads it. */
interface Api {
  readonly groups: Readonly<Record<string, { readonly endpoints: object }>>
}

const endpointsOf = (api: Api): ReadonlyArray<HttpApiEndpoint.Top> =>
  Object.values(api.groups).flatMap((group) => Object.values(group.endpoints) as ReadonlyArray<HttpApiEndpoint.Top>)

const cellsOf = (
  { annotations, method }: HttpApiEndpoint.Top,
  callers: Readonly<Record<string, Kind>>
): ReadonlyArray<string> => {
  const rule = Context.get(annotations, Access)
  const servesFrozen = method === "GET" || Context.get(annotations, ServesFrozen)
  return Object.values(callers).map((who) => {
    if (who === "none" || who === "ended") return withoutKey(rule)
    if (who === "operator") return asOperator(rule)
    return "operator" in who ? withSession(rule, servesFrozen, who) : withKey(rule, servesFrozen, who)
  })
}

const row = (cells: ReadonlyArray<string>): string => `| ${cells.join(" | ")} |`

/** The page of the documentation is served beside the endpoints, to everybody. */
const pageRow = (callers: Readonly<Record<string, Kind>>): string =>
  row(["`GET /docs`", ...Object.keys(callers).map(() => open)])

const introduction = `# Access

These tables show for every operation which callers may use it: each kind of key with each scope, in each state of its account. \`npm run access\`
generates them from the endpoints, and a test sends every request of the tables over HTTP (SCOPE-1 to SCOPE-6, AGENT-12, AGENT-14, ACCOUNT-12).

- \`yes\`: the caller has access. The operation may still refuse the request for other reasons.
- \`401\`: INVALID_API_KEY. \`403\`: INSUFFICIENT_PERMISSIONS. \`unclaimed\`: AGENT_NOT_CLAIMED. \`frozen\`: ACCOUNT_FROZEN or AGENT_FROZEN.
- The agents of the columns \`agent …\` are claimed. \`unclaimed\` is the key of an unclaimed agent.
- \`FULL, rotated\` is a key that has been rotated, during its grace.
- \`none\` is a request without a key while sign-up is open. \`operator\` is a request with the operator's token.
- A session belongs to a person who has signed in with a browser. Its account has no passkey here: with one, some operations also need a confirmation
  (SESSION-17).
- A frozen account may change a policy only if the change tightens it.
`

/** The whole matrix as a page: operation × scope × kind of key × state of the account. */
export const accessDocument = (api: Api = MarketApi): string =>
  [
    introduction,
    ...Object.entries(tables).flatMap(([title, callers]) => [
      `## ${title}\n`,
      row(["Operation", ...Object.keys(callers)]),
      row(["---", ...Object.keys(callers).map(() => "---")]),
      ...endpointsOf(api).map((endpoint) =>
        row([`\`${endpoint.method} ${endpoint.path}\``, ...cellsOf(endpoint, callers)])
      ),
      pageRow(callers),
      ""
    ])
  ].join("\n")
