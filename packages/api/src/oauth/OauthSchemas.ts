import { choice, listUpTo } from "@agent-marketplace/core/fields/InputRules"
import { grantTypes, clientAuthMethods } from "@agent-marketplace/core/oauth/OauthClient"
import { oauthScopes } from "@agent-marketplace/core/oauth/OauthScope"
import { boundedText } from "@agent-marketplace/core/text/BoundedText"
import { Schema } from "effect"
import { ClaimPolicy } from "../approvals/PolicySchemas.ts"
import { field } from "../wire/Field.ts"
import { flag, optional } from "../wire/Input.ts"
import { ResponseField } from "../wire/ResponseField.ts"

const exampleUri = "https://app.example.com/callback"
const exampleClient = "oac_01j9zq5k2f8h3m6n7p0r4s"
const isRequired = { messageMissingKey: "is required" }

/** A client to register, with the names of RFC 7591 (OAUTH-16). */
export const ClientInput = Schema.Struct({
  client_name: field(
    boundedText({ min: 1, max: 100 }).annotateKey(isRequired),
    "1 to 100 visible characters, which the consent page shows.",
    "Shopping helper"
  ),
  redirect_uris: field(
    optional(listUpTo(boundedText({ min: 1, max: 2000 }), 10)),
    "Where codes are sent: HTTPS URLs, HTTP URLs of loopback addresses (any port), or URIs of a scheme such as com.example.app.",
    [exampleUri]
  ),
  grant_types: field(
    optional(listUpTo(choice(grantTypes), 10)),
    "authorization_code and refresh_token by default. client_credentials lets the client act for the caller's account.",
    ["authorization_code", "refresh_token"]
  ),
  token_endpoint_auth_method: field(
    optional(choice(clientAuthMethods)),
    "How the client authenticates; client_secret_basic by default. none is for programs that cannot keep a secret.",
    "none"
  ),
  scope: field(
    optional(boundedText({ min: 1, max: 100 })),
    "The scopes that the client may request, separated by blanks: read, buy, sell. All by default.",
    "read buy"
  )
}).annotate({ identifier: "OauthClientInput", description: "An application to register." })

const clientFields = {
  client_id: ResponseField.text("Prefix `oac_`.", exampleClient),
  client_name: ResponseField.text("The name that people see.", "Shopping helper"),
  redirect_uris: ResponseField.texts("Where codes are sent.", [exampleUri]),
  grant_types: ResponseField.texts("How the client gets tokens.", ["authorization_code", "refresh_token"]),
  token_endpoint_auth_method: ResponseField.choice(clientAuthMethods, "How the client authenticates.", "none"),
  scope: ResponseField.text("The scopes that the client may request.", "read buy"),
  client_id_issued_at: ResponseField.count("When it was registered, in epoch seconds.", 1_736_942_400)
}

export const OauthClient = Schema.Struct(clientFields).annotate({
  identifier: "OauthClient",
  description: "A registered application, with the names of RFC 7591."
})

/** The only response that contains the secret. */
export const RegisteredOauthClient = Schema.Struct({
  ...clientFields,
  client_secret: Schema.optionalKey(
    ResponseField.text("The secret, shown only in this response.", "amo_Q8cJ2mZ0bqLr7yW3xT5kV9nD1fH4gS6aE0uP2iR8oYM")
  ),
  client_secret_expires_at: Schema.optionalKey(ResponseField.count("0: it does not expire.", 0))
}).annotate({ identifier: "RegisteredOauthClient", description: "A new application with its secret, if it has one." })

const client = (fields: Schema.Struct.Fields, identifier: string) =>
  Schema.Struct({
    id: ResponseField.text("The client's id.", exampleClient),
    name: ResponseField.text("The name that the client gives itself. It is not verified.", "Shopping helper"),
    ...fields
  }).annotate({ identifier, description: "The application." })

const scopes = (description: string) => field(Schema.Array(Schema.Literals(oauthScopes)), description, ["read", "buy"])

/** A grant (OAUTH-14). */
export const Grant = Schema.Struct({
  id: ResponseField.text("Prefix `ogr_`.", "ogr_01j9zq5k2f8h3m6n7p0r4s"),
  agentId: ResponseField.text("The agent that the application acts as.", "agt_01j9zq5k2f8h3m6n7p0r4s"),
  client: client({}, "GrantClient") as unknown as Schema.Codec<{ readonly id: string; readonly name: string }>,
  scopes: scopes("The scopes of the application."),
  createdAt: ResponseField.time("When the owner agreed."),
  lastUsedAt: ResponseField.timeOrNull(
    "When it was last used. Can be about a minute behind, because a use is recorded at most once a minute.",
    null
  )
}).annotate({ identifier: "Grant", description: "The access that an owner has granted to an application." })

/** A request for access that waits for a decision (OAUTH-9). */
export const OauthRequest = Schema.Struct({
  id: ResponseField.text("Prefix `oar_`.", "oar_01j9zq5k2f8h3m6n7p0r4s"),
  client: client(
    {
      redirectHost: ResponseField.textOrNull("Where the browser goes afterwards; null for a device.", "app.example.com")
    },
    "RequestClient"
  ) as unknown as Schema.Codec<{ readonly id: string; readonly name: string; readonly redirectHost: string | null }>,
  scopes: scopes("The scopes that the application requests."),
  resource: ResponseField.text("The part of the service that its tokens are for.", "https://market.example.com"),
  expiresAt: ResponseField.time("When the request ends.")
}).annotate({ identifier: "OauthRequest", description: "An application's request for access." })

/** The decision of a person (OAUTH-10). */
export const DecisionInput = Schema.Struct({
  approve: field(flag.annotateKey(isRequired), "Whether the application gets access.", true),
  scopes: field(optional(listUpTo(choice(oauthScopes), 3)), "Some of the requested scopes; all of them by default.", [
    "read",
    "buy"
  ]),
  policy: Schema.optionalKey(ClaimPolicy)
}).annotate({ identifier: "OauthDecisionInput", description: "Whether an application gets access, and its limits." })

export const Decision = Schema.Struct({
  redirectTo: ResponseField.textOrNull(
    "Where the browser goes next, with the code for the application; null for a device.",
    `${exampleUri}?code=amc_Q8cJ2mZ0bqLr7yW3xT5kV9nD1fH4gS6aE0uP2iR8oYM`
  )
}).annotate({ identifier: "OauthDecision", description: "The result of a decision." })
