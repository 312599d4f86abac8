import type { GrantId, OauthRequestId } from "@agent-marketplace/core/ids/Ids"
import { Schema } from "effect"
import { HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { access } from "../access/Access.ts"
import { endpoint } from "../access/Endpoint.ts"
import { ControlOperation } from "../access/EndpointLimits.ts"
import { Deleted, enveloped, pageOf } from "../wire/Envelope.ts"
import { field } from "../wire/Field.ts"
import { idOf } from "../wire/Input.ts"
import { pageQuery, Query } from "../wire/Query.ts"
import {
  ClientInput,
  Decision,
  DecisionInput,
  Grant,
  OauthClient,
  OauthRequest,
  RegisteredOauthClient
} from "./OauthSchemas.ts"

const clientParams = { id: field(idOf<string>(), "The client's id.", "oac_01j9zq5k2f8h3m6n7p0r4s") }
const grantParams = { id: field(idOf<GrantId>(), "The grant's id.", "ogr_01j9zq5k2f8h3m6n7p0r4s") }
const requestParams = { id: field(idOf<OauthRequestId>(), "The request's id.", "oar_01j9zq5k2f8h3m6n7p0r4s") }

const registerClient = endpoint.post("registerClient", "/api/v1/oauth/clients", {
  summary: "Register an application",
  description:
    "The names are those of RFC 7591. The application can then request access to any account. With client_credentials the application acts for the " +
    "caller's account, as an agent whose paid purchases wait for the owner until its policy is changed. At most 50 applications.",
  access: access.owner,
  stepUp: true,
  payload: ClientInput,
  success: enveloped(RegisteredOauthClient).pipe(HttpApiSchema.status(201)),
  errors: ["CONFLICT"]
})

const listClients = endpoint.get("listClients", "/api/v1/oauth/clients", {
  summary: "List applications",
  description: "The applications that the owner has registered, newest first.",
  access: access.ownerRead,
  query: pageQuery,
  success: pageOf(Schema.Array(OauthClient).annotate({ description: "The applications of the page, newest first." }))
})

const getClient = endpoint.get("getClient", "/api/v1/oauth/clients/:id", {
  summary: "Read an application",
  description: "An application that the owner has registered.",
  access: access.ownerRead,
  params: clientParams,
  success: enveloped(OauthClient),
  errors: ["CLIENT_NOT_FOUND"]
})

const removeClient = endpoint.delete("removeClient", "/api/v1/oauth/clients/:id", {
  summary: "Remove an application",
  description: "Deletes it and ends all its grants, at once on every server process.",
  access: access.owner,
  servesFrozen: true,
  params: clientParams,
  success: enveloped(Deleted),
  errors: ["CLIENT_NOT_FOUND"]
})

const listGrants = endpoint.get("listGrants", "/api/v1/oauth/grants", {
  summary: "List grants",
  description: "The grants of the account, newest first. Each is an agent with a policy of its own.",
  access: access.ownerRead,
  query: pageQuery,
  success: pageOf(Schema.Array(Grant).annotate({ description: "The grants of the page, newest first." }))
})

const endGrant = endpoint.delete("endGrant", "/api/v1/oauth/grants/:id", {
  summary: "End a grant",
  description:
    "From this response on, no server process accepts the application's tokens. Its agent is retired and its pending approvals are rejected.",
  access: access.owner,
  servesFrozen: true,
  params: grantParams,
  success: enveloped(Deleted),
  errors: ["GRANT_NOT_FOUND"]
})

const findRequest = endpoint.get("findRequest", "/api/v1/oauth/requests", {
  summary: "Find a device's request",
  description: "The request for access whose code the device shows.",
  access: access.person,
  query: { user_code: Query.required.text(20, "The code; case, blanks and hyphens do not matter.", "BDFG-HJKL") },
  success: enveloped(OauthRequest),
  errors: ["REQUEST_NOT_FOUND", "CONFLICT"]
})

const getRequest = endpoint.get("getRequest", "/api/v1/oauth/requests/:id", {
  summary: "Read a request for access",
  description:
    "The application that requests access, and the scopes that it requests. CONFLICT once the request is decided.",
  access: access.person,
  params: requestParams,
  success: enveloped(OauthRequest),
  errors: ["REQUEST_NOT_FOUND", "CONFLICT"]
})

const decide = endpoint.post("decide", "/api/v1/oauth/requests/:id/decision", {
  summary: "Decide on a request for access",
  description:
    "Approval creates an agent with the given policy; without autoApprove in it, every paid purchase waits for the owner. A request is decided once.",
  access: access.person,
  stepUp: true,
  closedBody: "policy.",
  params: requestParams,
  payload: DecisionInput,
  success: enveloped(Decision),
  errors: ["REQUEST_NOT_FOUND", "CONFLICT", "QUOTA_EXCEEDED"]
})

/** Applications with access by OAuth (OAUTH-9, OAUTH-10, OAUTH-14, OAUTH-16, OAUTH-17, OAUTH-18). OAuth's own endpoints are described by its metadata. */
export const OauthGroup = HttpApiGroup.make("oauth")
  .annotate(ControlOperation, true)
  .add(registerClient, listClients, getClient, removeClient, listGrants, endGrant, findRequest, getRequest, decide)
  .annotateMerge(
    OpenApi.annotations({ title: "OAuth", description: "Applications that act within limits that an owner has set." })
  )
