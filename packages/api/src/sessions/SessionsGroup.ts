import type { SessionId } from "@agent-marketplace/core/ids/Ids"
import { Schema } from "effect"
import { HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { access } from "../access/Access.ts"
import { endpoint } from "../access/Endpoint.ts"
import { ControlOperation } from "../access/EndpointLimits.ts"
import { Deleted, enveloped, pageOf } from "../wire/Envelope.ts"
import { field } from "../wire/Field.ts"
import { idOf } from "../wire/Input.ts"
import { pageQuery } from "../wire/Query.ts"
import { ListedSession, Session, SignIn, SignInLink } from "./SessionSchemas.ts"

const created = HttpApiSchema.status(201)

const sessionParams = { id: field(idOf<SessionId>(), "The session's id.", "ses_01j9zq5k2f8h3m6n7p0r4s") }

const atOnce = "Takes effect at once on every server process."

/** Routes for sessions (SESSION-1, SESSION-6, SESSION-9, SESSION-10); a frozen account may end them (SESSION-14). */
export const SessionsGroup = HttpApiGroup.make("sessions")
  .annotate(ControlOperation, true)
  .add(
    endpoint.post("start", "/api/v1/sessions", {
      summary: "Sign in",
      description:
        "With an owner's FULL key, a sign-in link or the operator's token. The response sets the session's cookie. After ten failed attempts in a minute, every attempt from the client's address is refused.",
      access: access.public,
      payload: SignIn,
      success: enveloped(Session).pipe(created),
      errors: ["INVALID_API_KEY", "INSUFFICIENT_PERMISSIONS", "AGENT_NOT_CLAIMED"]
    }),
    endpoint.get("list", "/api/v1/sessions", {
      summary: "List sessions",
      description: "The active sessions of the account, or those of the operator's token; newest first.",
      access: access.sessionOrOwnerRead,
      query: pageQuery,
      success: pageOf(Schema.Array(ListedSession).annotate({ description: "The sessions of the page, newest first." }))
    }),
    endpoint.get("current", "/api/v1/sessions/current", {
      summary: "Read the current session",
      description: "The session that makes the request. An API key has none.",
      access: access.sessionOrOwnerRead,
      success: enveloped(Session),
      errors: ["SESSION_NOT_FOUND"]
    }),
    endpoint.delete("endCurrent", "/api/v1/sessions/current", {
      summary: "Sign out",
      description: `Ends the session that makes the request and removes its cookie. ${atOnce}`,
      access: access.sessionOrOwner,
      servesFrozen: true,
      success: enveloped(Deleted),
      errors: ["SESSION_NOT_FOUND"]
    }),
    endpoint.delete("end", "/api/v1/sessions/:id", {
      summary: "End a session",
      description: atOnce,
      access: access.sessionOrOwner,
      servesFrozen: true,
      params: sessionParams,
      success: enveloped(Deleted),
      errors: ["SESSION_NOT_FOUND"]
    }),
    endpoint.post("link", "/api/v1/sessions/links", {
      summary: "Create a sign-in link",
      description: "The link signs in once, within two minutes. Only this response contains it.",
      access: access.owner,
      success: enveloped(SignInLink).pipe(created),
      errors: ["ACCOUNT_FROZEN", "AGENT_FROZEN"]
    })
  )
  .annotateMerge(OpenApi.annotations({ title: "Sessions", description: "People who are signed in with a browser." }))
