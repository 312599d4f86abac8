import { Effect } from "effect"
import type { SpendingPolicy } from "../approvals/SpendingPolicy.ts"
import { defaultPolicy } from "../approvals/SpendingPolicy.ts"
import type { Timestamp } from "../clock/Timestamp.ts"
import type { AccountId, IdGenerator } from "../ids/Ids.ts"
import { grantKeyHash } from "./OauthGrant.ts"
import { keyScopeOf } from "./OauthScope.ts"
import type { OauthScope } from "./OauthScope.ts"
import type { GrantDraft } from "./OauthStore.ts"

/** The policy of a grant where the owner sets none: every paid purchase waits (OAUTH-14). */
const everyPurchaseWaits: SpendingPolicy = { ...defaultPolicy, autoApprove: false }

/** A new grant: its agent has the name of the client, and its key has no token. */
export const makeGrantDraft =
  (ids: IdGenerator) =>
  ({
    accountId,
    at,
    client,
    forClient,
    policy = {},
    scopes
  }: {
    readonly accountId: AccountId
    readonly at: Timestamp
    readonly client: { readonly id: string; readonly name: string }
    readonly forClient: boolean
    readonly policy?: Partial<SpendingPolicy> | undefined
    readonly scopes: ReadonlyArray<OauthScope>
  }): Effect.Effect<GrantDraft> =>
    Effect.gen(function* () {
      const [id, agentId, keyId] = yield* Effect.all([ids.make("grant"), ids.make("agent"), ids.make("key")])
      return {
        grant: {
          id,
          accountId,
          agentId,
          keyId,
          clientId: client.id,
          clientName: client.name,
          forClient,
          scopes,
          createdAt: at
        },
        agent: {
          id: agentId,
          name: client.name,
          ownerId: accountId,
          source: "oauth",
          createdAt: at,
          retiredAt: null,
          frozen: null
        },
        key: {
          id: keyId,
          accountId,
          agentId,
          name: client.name,
          scope: keyScopeOf(scopes),
          prefix: "oauth",
          hash: grantKeyHash(id),
          status: "active",
          expiresAt: null,
          rotatedFrom: null,
          familyId: keyId,
          familyEndsAt: null,
          lastUsedAt: null,
          createdAt: at
        },
        policy: { ...everyPurchaseWaits, ...policy }
      }
    })
