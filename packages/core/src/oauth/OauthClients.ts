import { Cache, Context, Duration, Effect, Exit, Layer, Option, Result, Schema } from "effect"
import { Digest } from "effect/crypto"
import { MarketClock } from "../clock/MarketClock.ts"
import type { AccountFrozen, AgentNotClaimed, Conflict, InvalidApiKey } from "../errors/MarketError.ts"
import { NotFound, ValidationFailed } from "../errors/MarketError.ts"
import type { StoreEffect } from "../errors/StoreEffect.ts"
import type { Caller } from "../identity/Caller.ts"
import { ownerOf } from "../identity/Caller.ts"
import type { AccountId, KeyId } from "../ids/Ids.ts"
import { idGenerator } from "../ids/Ids.ts"
import type { Page, PageRequest } from "../paging/Page.ts"
import { ClientDocuments, DocumentUnavailable } from "./ClientDocuments.ts"
import { ClientMetadata, describeClient } from "./ClientMetadata.ts"
import type { MetadataSource } from "./ClientMetadata.ts"
import type { OauthClient } from "./OauthClient.ts"
import { commandLineClient, isDocumentUrl } from "./OauthClient.ts"
import { OauthEnds } from "./OauthEnds.ts"
import type { OauthError } from "./OauthError.ts"
import { oauthError } from "./OauthError.ts"
import { ClientSecret, oauthSecretBytes } from "./OauthSecret.ts"
import { OauthStore } from "./OauthStore.ts"

/** The clients that one account may register (OAUTH-17). */
const clientLimit = 50

/** How long a metadata document counts as current, and how many are remembered. */
const documentAge = Duration.minutes(10)
const documentFaultAge = Duration.seconds(30)
const documentCapacity = 1000

/** A new client with its secret, which is returned only once; null for a client without one. */
export interface RegisteredClient {
  readonly client: OauthClient
  readonly secret: string | null
}

/** How a client presents itself at an endpoint. */
export interface ClientCredentials {
  readonly clientId: string
  readonly secret: string | null
}

const unknown = oauthError("invalid_client", "The client is unknown, or its secret is wrong.")

const DocumentId = Schema.Struct({ client_id: Schema.String, client_secret: Schema.optionalKey(Schema.Undefined) })

/** The URL of a document must have a path, and parsing it must not change it. */
const isDocumentId = (id: string): boolean => {
  if (id.length > 500 || !URL.canParse(id)) return false
  const { hash, href, password, pathname, username } = new URL(id)
  return href === id && pathname !== "/" && hash === "" && username === "" && password === ""
}

/** The client that a metadata document describes: the URL in it must be its own (OAUTH-15). */
const fromDocument = (id: string, document: unknown): Result.Result<OauthClient, string> => {
  const own = Schema.decodeUnknownOption(DocumentId)(document)
  if (Option.isNone(own) || own.value.client_id !== id) return Result.fail("does not name its own URL as client_id")
  const metadata = Schema.decodeUnknownOption(ClientMetadata)(document)
  if (Option.isNone(metadata)) return Result.fail("is not valid client metadata")
  return Result.mapBoth(describeClient(metadata.value, "document", new URL(id).host), {
    onSuccess: (described): OauthClient => ({ ...described, id, ownerId: null, secretHash: null, createdAt: 0 }),
    onFailure: (issues) => `is not valid: ${issues.map(({ message, path }) => `${path} ${message}`).join("; ")}`
  })
}

/** The applications that request access (OAUTH-4, OAUTH-15, OAUTH-16, OAUTH-17). */
export class OauthClients extends Context.Service<
  OauthClients,
  {
    readonly register: (
      caller: Caller,
      metadata: ClientMetadata
    ) => StoreEffect<RegisteredClient, AccountFrozen | AgentNotClaimed | Conflict | InvalidApiKey | ValidationFailed>
    /** Dynamic registration, where the operator allows it. */
    readonly registerOpenly: (metadata: ClientMetadata) => StoreEffect<RegisteredClient, ValidationFailed>
    readonly list: (caller: Caller, page: PageRequest) => StoreEffect<Page<OauthClient>, AgentNotClaimed>
    readonly get: (caller: Caller, id: string) => StoreEffect<OauthClient, AgentNotClaimed | NotFound>
    /** Also ends every grant of the client. */
    readonly remove: (caller: Caller, id: string) => StoreEffect<void, AgentNotClaimed | NotFound>
    /** The client with this id: a registered one, or one whose id is the URL of its metadata. */
    readonly find: (id: string) => StoreEffect<OauthClient, OauthError>
    /** The id of the client that presents these credentials, and the client itself where it is stored. */
    readonly authenticate: (
      credentials: ClientCredentials
    ) => StoreEffect<{ readonly id: string; readonly client: OauthClient | null }, OauthError>
  }
>()("@agent-marketplace/core/oauth/OauthClients") {
  static readonly layer = Layer.effect(
    OauthClients,
    Effect.gen(function* () {
      const store = yield* OauthStore
      const documents = yield* ClientDocuments
      const clock = yield* MarketClock
      const digest = yield* Digest.Digest
      const ids = yield* idGenerator
      const ends = yield* OauthEnds
      const encoder = new TextEncoder()
      const hash = (secret: string) => digest.digestHex(Digest.sha256, encoder.encode(secret))

      const read = Effect.fnUntraced(function* (id: string) {
        const client = fromDocument(id, yield* documents.read(id))
        return yield* Effect.fromResult(Result.mapError(client, (reason) => new DocumentUnavailable({ reason })))
      })
      const described = yield* Cache.makeWith(read, {
        capacity: documentCapacity,
        timeToLive: (exit) => (Exit.isSuccess(exit) ? documentAge : documentFaultAge)
      })
      const byDocument = (id: string) =>
        isDocumentId(id)
          ? Effect.mapError(Cache.get(described, id), ({ reason }) =>
              oauthError("invalid_client", `The client's metadata document ${reason}.`)
            )
          : Effect.fail(oauthError("invalid_client", "The URL of a client's metadata document must have a path."))

      const stored = (id: string): StoreEffect<Option.Option<OauthClient>> =>
        id === commandLineClient.id ? Effect.succeedSome(commandLineClient) : store.findClient(id)

      const draft = Effect.fnUntraced(function* (
        metadata: ClientMetadata,
        source: MetadataSource,
        ownerId: AccountId | null
      ) {
        const fallback = source === "anybody" ? "An application" : ""
        const issues = describeClient(metadata, source, fallback)
        if (Result.isFailure(issues)) return yield* new ValidationFailed({ issues: issues.failure })
        const secret =
          issues.success.authMethod === "none" ? null : ClientSecret.make(yield* ids.bytes(oauthSecretBytes))
        const client: OauthClient = {
          ...issues.success,
          id: yield* ids.make("oauthClient"),
          ownerId,
          secretHash: secret === null ? null : yield* hash(secret),
          createdAt: yield* clock.now
        }
        return { client, secret }
      })

      const own = Effect.fnUntraced(function* (caller: Caller, id: string) {
        const owner = yield* ownerOf(caller)
        const found = yield* store.findClient(id)
        if (Option.isNone(found) || found.value.ownerId !== owner) return yield* new NotFound({ resource: "CLIENT" })
        return found.value
      })

      const save = (registered: RegisteredClient, by: KeyId | null) =>
        Effect.as(store.createClient(registered.client, by, clientLimit), registered)

      return {
        register: Effect.fn("OauthClients.register")(function* (caller, metadata) {
          return yield* save(yield* draft(metadata, "owner", yield* ownerOf(caller)), caller.keyId)
        }),
        registerOpenly: Effect.fn("OauthClients.registerOpenly")(function* (metadata) {
          const registered = yield* draft(metadata, "anybody", null)
          // Without an owner no quota, freeze or key applies.
          return yield* Effect.catchTags(save(registered, null), {
            AccountFrozen: Effect.die,
            Conflict: Effect.die,
            InvalidApiKey: Effect.die
          })
        }),
        list: Effect.fn("OauthClients.list")(function* (caller, page) {
          return yield* store.listClients(yield* ownerOf(caller), page)
        }),
        get: Effect.fn("OauthClients.get")(own),
        remove: Effect.fn("OauthClients.remove")(function* (caller, id) {
          const ended = yield* store.deleteClient(id, yield* ownerOf(caller), yield* clock.now)
          if (Option.isNone(ended)) return yield* new NotFound({ resource: "CLIENT" })
          yield* Effect.forEach(ended.value, ends.after, { discard: true })
        }),
        find: Effect.fn("OauthClients.find")(function* (id) {
          if (isDocumentUrl(id)) return yield* byDocument(id)
          return yield* Effect.flatMap(
            stored(id),
            Option.match({ onNone: () => Effect.fail(unknown), onSome: Effect.succeed })
          )
        }),
        authenticate: Effect.fn("OauthClients.authenticate")(function* ({ clientId, secret }) {
          // Such a client has no secret to check, and its grants and requests contain its URL as id.
          if (isDocumentUrl(clientId)) return secret === null ? { id: clientId, client: null } : yield* unknown
          const found = yield* stored(clientId)
          if (Option.isNone(found)) return yield* unknown
          const client = found.value
          const given = secret === null ? null : yield* hash(secret)
          return client.secretHash === given ? { id: client.id, client } : yield* unknown
        })
      }
    })
  )
}
