import type { PasskeyId } from "@agent-marketplace/core/ids/Ids"
import { Schema } from "effect"
import { HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { access } from "../access/Access.ts"
import { endpoint } from "../access/Endpoint.ts"
import { ControlOperation } from "../access/EndpointLimits.ts"
import { Session } from "../sessions/SessionSchemas.ts"
import { Deleted, enveloped, pageOf } from "../wire/Envelope.ts"
import { field } from "../wire/Field.ts"
import { idOf } from "../wire/Input.ts"
import { pageQuery } from "../wire/Query.ts"
import {
  Passkey,
  PasskeyAssertion,
  PasskeyCreationOptions,
  PasskeyPatch,
  PasskeyRegistration,
  PasskeyRequestOptions
} from "./PasskeySchemas.ts"

const created = HttpApiSchema.status(201)

const passkeyParams = { id: field(idOf<PasskeyId>(), "The passkey's id.", "psk_01j9zq5k2f8h3m6n7p0r4s") }

const registering = [
  endpoint.post("options", "/api/v1/passkeys/options", {
    summary: "Start the registration of a passkey",
    description: "The options for the browser. They are bound to this session and work once, for five minutes.",
    access: access.ownSession,
    stepUp: true,
    success: enveloped(PasskeyCreationOptions),
    errors: ["ACCOUNT_NOT_FOUND", "CONFLICT", "ACCOUNT_FROZEN"]
  }),
  endpoint.post("register", "/api/v1/passkeys", {
    summary: "Register a passkey",
    description: "With the browser's answer to the options. An account has at most 20 passkeys.",
    access: access.ownSession,
    stepUp: true,
    payload: PasskeyRegistration,
    success: enveloped(Passkey).pipe(created),
    errors: ["CONFLICT"]
  })
] as const

const managing = [
  endpoint.get("list", "/api/v1/passkeys", {
    summary: "List passkeys",
    description: "The account's passkeys, newest first.",
    access: access.ownSession,
    query: pageQuery,
    success: pageOf(Schema.Array(Passkey).annotate({ description: "The passkeys of the page, newest first." }))
  }),
  endpoint.patch("rename", "/api/v1/passkeys/:id", {
    summary: "Rename a passkey",
    description: "Only its name changes.",
    access: access.ownSession,
    params: passkeyParams,
    payload: PasskeyPatch,
    success: enveloped(Passkey),
    errors: ["PASSKEY_NOT_FOUND"]
  }),
  endpoint.delete("remove", "/api/v1/passkeys/:id", {
    summary: "Remove a passkey",
    description: "The passkey can no longer sign in. Sessions that it has started continue until they end.",
    access: access.ownSession,
    stepUp: true,
    params: passkeyParams,
    success: enveloped(Deleted),
    errors: ["PASSKEY_NOT_FOUND", "ACCOUNT_FROZEN"]
  })
] as const

const using = [
  endpoint.post("signInOptions", "/api/v1/sessions/passkey/options", {
    summary: "Start signing in with a passkey",
    description: "The options for the browser. They work once, for five minutes.",
    access: access.public,
    success: enveloped(PasskeyRequestOptions),
    errors: ["CONFLICT", "INSUFFICIENT_PERMISSIONS"]
  }),
  endpoint.post("signIn", "/api/v1/sessions/passkey", {
    summary: "Sign in with a passkey",
    description: "With the browser's answer to the options. The response sets the session's cookie.",
    access: access.public,
    payload: PasskeyAssertion,
    success: enveloped(Session).pipe(created),
    errors: ["INVALID_API_KEY", "CONFLICT", "INSUFFICIENT_PERMISSIONS"]
  }),
  endpoint.post("stepUpOptions", "/api/v1/sessions/current/step-up/options", {
    summary: "Start a confirmation",
    description: "The options for the browser. They are bound to this session and work once, for five minutes.",
    access: access.ownSession,
    servesFrozen: true,
    success: enveloped(PasskeyRequestOptions),
    errors: ["CONFLICT"]
  }),
  endpoint.post("stepUp", "/api/v1/sessions/current/step-up", {
    summary: "Confirm with a passkey",
    description: "With the browser's answer to the options. The session is elevated for five minutes.",
    access: access.ownSession,
    servesFrozen: true,
    payload: PasskeyAssertion,
    success: enveloped(Session),
    errors: ["CONFLICT", "STEP_UP_REQUIRED"]
  })
] as const

/** Routes for passkeys (PASSKEY-1 to PASSKEY-4). */
export const PasskeysGroup = HttpApiGroup.make("passkeys")
  .annotate(ControlOperation, true)
  .add(...registering, ...managing, ...using)
  .annotateMerge(
    OpenApi.annotations({ title: "Passkeys", description: "Signing in and confirming without a password." })
  )
