import type { Caller } from "./Caller.ts"
import type { IdentityStore } from "./IdentityStore.ts"
import { makeRevocableCache } from "./RevocableCache.ts"

/** The callers of recently used keys, by hash. */
export const makeCallerCache = ({ changes, findCaller, live }: IdentityStore["Service"]) =>
  makeRevocableCache<Caller>({
    // A caller takes about 400 bytes.
    capacity: 125_000,
    find: findCaller,
    changes,
    live,
    idsOf: ({ accountId, agentId, keyId }) => [keyId, agentId, accountId]
  })
