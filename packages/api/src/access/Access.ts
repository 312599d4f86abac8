import type { Caller } from "@agent-marketplace/core/identity/Caller"
import type { Timestamp } from "@agent-marketplace/core/clock/Timestamp"
import type { Scope } from "@agent-marketplace/core/identity/ApiKey"
import {
  AccountFrozen,
  AgentFrozen,
  AgentNotClaimed,
  Forbidden,
  StepUpRequired
} from "@agent-marketplace/core/errors/MarketError"
import { Context, Result } from "effect"

/** Who may call an endpoint (KEY-2, SCOPE-1, SCOPE-2, SCOPE-3, SCOPE-4, SCOPE-5, SCOPE-6, SCOPE-7). */
export type AccessRule =
  /** No key is needed; one that is sent is ignored. */
  | { readonly _tag: "Public" }
  /** No key while `SIGNUP=open`, otherwise the operator's token. */
  | { readonly _tag: "Signup" }
  /** Every valid key, including that of an unclaimed agent: the public catalogue. */
  | { readonly _tag: "AnyKey" }
  /** Every valid key, but no session: the key's own renewal. */
  | { readonly _tag: "Key" }
  /** Every valid key that acts for an account. */
  | { readonly _tag: "Any" }
  /** A key with one of the scopes that acts for an account; with `orAdmin` also the operator's token. */
  | { readonly _tag: "Write"; readonly scopes: ReadonlyArray<Scope>; readonly orAdmin: boolean }
  /** A key with one of the scopes that acts for a seller's account. */
  | { readonly _tag: "Sell"; readonly scopes: ReadonlyArray<Scope> }
  /** An account's own FULL key, never an agent's. */
  | { readonly _tag: "Owner" }
  /** An account's own key of any scope, never an agent's. */
  | { readonly _tag: "OwnerRead" }
  /** A session, of an account or of the operator's token. */
  | { readonly _tag: "Session" }
  /** A session of an account. */
  | { readonly _tag: "OwnSession" }
  /** A person: a session of an account, or a user of the host who acts for themselves with FULL. */
  | { readonly _tag: "Person" }
  /** A session, or an account's own FULL key. */
  | { readonly _tag: "SessionOrOwner" }
  /** A session, or an account's own key of any scope. */
  | { readonly _tag: "SessionOrOwnerRead" }
  /** The operator's token. */
  | { readonly _tag: "Admin" }

/** The annotation every endpoint carries: `Context.get(endpoint.annotations, Access)`. Without it only the operator may call. */
export const Access = Context.Reference<AccessRule>("@agent-marketplace/api/access/Access", {
  defaultValue: () => ({ _tag: "Admin" })
})

/**
 * Whether an endpoint also serves frozen accounts and agents. Every GET does, and so do the few writes with which an owner stays in control
 * (ACCOUNT-12).
 */
export const ServesFrozen = Context.Reference<boolean>("@agent-marketplace/api/access/ServesFrozen", {
  defaultValue: () => false
})

/**
 * Whether a session must have been confirmed with a passkey, if its account has one (SESSION-17). `operator`: only if it acts as the
 * operator.
 */
export const StepUp = Context.Reference<boolean | "operator">("@agent-marketplace/api/access/StepUp", {
  defaultValue: () => false
})

/** The failure for a session that must be confirmed first. API keys need no confirmation. */
export const checkStepUp = ({ session }: Caller, now: Timestamp): Result.Result<void, StepUpRequired> =>
  session !== undefined && session.hasPasskey && (session.elevatedUntil ?? 0) <= now
    ? Result.fail(new StepUpRequired())
    : Result.void

/** The failure for a key of a frozen account or agent. If both are frozen, the account's is reported. */
export const checkFreeze = ({ agentFrozen, frozen }: Caller): Result.Result<void, AccountFrozen | AgentFrozen> => {
  if (frozen !== null) return Result.fail(new AccountFrozen(frozen))
  return agentFrozen === null ? Result.void : Result.fail(new AgentFrozen(agentFrozen))
}

const write = (...scopes: ReadonlyArray<Scope>): AccessRule => ({ _tag: "Write", scopes, orAdmin: false })

export const access = {
  public: { _tag: "Public" },
  signup: { _tag: "Signup" },
  anyKey: { _tag: "AnyKey" },
  key: { _tag: "Key" },
  any: { _tag: "Any" },
  write,
  writeOrAdmin: (...scopes: ReadonlyArray<Scope>): AccessRule => ({ _tag: "Write", scopes, orAdmin: true }),
  sell: { _tag: "Sell", scopes: ["SELLER", "FULL"] },
  owner: { _tag: "Owner" },
  ownerRead: { _tag: "OwnerRead" },
  session: { _tag: "Session" },
  ownSession: { _tag: "OwnSession" },
  person: { _tag: "Person" },
  sessionOrOwner: { _tag: "SessionOrOwner" },
  sessionOrOwnerRead: { _tag: "SessionOrOwnerRead" },
  admin: { _tag: "Admin" }
} as const

const claimed = (caller: Caller): Result.Result<void, AgentNotClaimed> =>
  caller.accountId === null ? Result.fail(new AgentNotClaimed()) : Result.void

const scoped = (scopes: ReadonlyArray<Scope>, caller: Caller): Result.Result<void, AgentNotClaimed | Forbidden> =>
  scopes.includes(caller.scope) ? claimed(caller) : Result.fail(new Forbidden({ required: scopes }))

const owner = (caller: Caller): Result.Result<void, AgentNotClaimed | Forbidden> =>
  caller.agentId === null
    ? Result.void
    : Result.flatMap(claimed(caller), () => Result.fail(new Forbidden({ required: ["owner"] })))

/**
 * Whether a valid key may call the endpoint. The operator's token is not a key and is checked before. Permission is checked before
 * the claim (AGENT-12, AGENT-14); the failure's `required` is that of ERROR-5.
 */
export const checkAccess = (rule: AccessRule, caller: Caller): Result.Result<void, AgentNotClaimed | Forbidden> => {
  switch (rule._tag) {
    case "Public":
    case "Signup":
    case "AnyKey":
      return Result.void
    case "Key":
      return caller.session === undefined ? Result.void : Result.fail(new Forbidden({ required: ["key"] }))
    case "Any":
      return claimed(caller)
    case "Write":
      return scoped(rule.scopes, caller)
    case "Sell":
      return Result.flatMap(scoped(rule.scopes, caller), () =>
        caller.seller ? Result.void : Result.fail(new Forbidden({ required: ["seller account"] }))
      )
    case "Owner":
    case "SessionOrOwner":
      return Result.flatMap(owner(caller), () =>
        caller.scope === "FULL" ? Result.void : Result.fail(new Forbidden({ required: ["FULL"] }))
      )
    case "Session":
    case "OwnSession":
      return caller.session === undefined ? Result.fail(new Forbidden({ required: ["session"] })) : Result.void
    case "Person":
      return caller.session !== undefined || (caller.isHostUser === true && caller.scope === "FULL")
        ? Result.void
        : Result.fail(new Forbidden({ required: ["session"] }))
    case "OwnerRead":
    case "SessionOrOwnerRead":
      return owner(caller)
    case "Admin":
      return Result.fail(new Forbidden({ required: ["admin"] }))
  }
}

const sessionRules: ReadonlySet<AccessRule["_tag"]> = new Set(["Session", "SessionOrOwner", "SessionOrOwnerRead"])

/** Whether an endpoint serves a session of the operator's token, which has no account. */
export const servesWithoutAccount = ({ _tag }: AccessRule): boolean => sessionRules.has(_tag)
