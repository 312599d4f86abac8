import type { SessionId } from "@agent-marketplace/core/ids/Ids"
import { Timestamp } from "@agent-marketplace/core/clock/Timestamp"
import type { Session as CoreSession } from "@agent-marketplace/core/sessions/Session"
import { endOf, sessionMethods } from "@agent-marketplace/core/sessions/Session"
import { actsAsOperator } from "@agent-marketplace/core/sessions/Sessions"
import type { SignedIn } from "@agent-marketplace/core/sessions/SessionStore"
import { boundedText } from "@agent-marketplace/core/text/BoundedText"
import { Schema } from "effect"
import { Account as WireAccount } from "../identity/IdentitySchemas.ts"
import { toAccount } from "../identity/IdentityWire.ts"
import { field } from "../wire/Field.ts"
import { optional } from "../wire/Input.ts"
import { ResponseField } from "../wire/ResponseField.ts"

const secret = boundedText({ min: 1, max: 4096 })

/** How a person signs in: exactly one of the fields (SESSION-1). */
export const SignIn = Schema.Struct({
  apiKey: field(optional(secret), "An owner's FULL key.", "amk_4fTgRq1ZkX0s9vB2nM5cD7hJ8wLpY3aE6uR1tK0xQ9zS"),
  link: field(
    optional(secret),
    "The whole URL of a sign-in link, which works once.",
    "https://market.example/sign-in#aml_Zk9tYTh2cXN1b3BqZmxrd2VydGl1eW1uYnZjeHp"
  ),
  adminToken: field(optional(secret), "The operator's token.", "an-admin-token-of-at-least-32-characters")
}).annotate({ identifier: "SignIn", description: "How a person signs in: exactly one of the fields." })

const sessionFields = {
  id: ResponseField.text("Prefix `ses_`.", "ses_01j9zq5k2f8h3m6n7p0r4s"),
  method: ResponseField.choice(sessionMethods, "How the person signed in.", "key"),
  userAgent: ResponseField.textOrNull("The browser, as it names itself; at most 200 characters.", "Mozilla/5.0"),
  current: ResponseField.flag("Whether this session makes the request.", true),
  elevatedUntil: ResponseField.timeOrNull("Until when a confirmation with a passkey counts.", null),
  createdAt: ResponseField.time("When the person signed in."),
  lastUsedAt: ResponseField.time("When it was last used; updated with a delay of a few seconds."),
  expiresAt: ResponseField.time(
    "When it ends unless it is used again: 12 hours after the last use, 30 days after sign-in at most.",
    "2025-01-16T00:00:00.000Z"
  )
}

export const ListedSession = Schema.Struct(sessionFields).annotate({
  identifier: "ListedSession",
  description: "A session in the list of active sessions."
})

export const Session = Schema.Struct({
  ...sessionFields,
  account: field(Schema.NullOr(WireAccount), "Who is signed in; null for a session of the operator's token.", {
    id: "usr_01j9zq5k2f8h3m6n7p0r4s",
    name: "Ada",
    email: "ada@example.com",
    seller: true,
    tier: "free",
    createdAt: "2025-01-15T12:00:00.000Z"
  }),
  operator: ResponseField.flag("Whether the session may do what the operator's token does.", false)
}).annotate({
  identifier: "Session",
  description: "A person who is signed in; `account` is null for a session of the operator's token."
})

export const SignInLink = Schema.Struct({
  url: ResponseField.text(
    "Opens the sign-in page. Its fragment is the secret, which works once; loading the page does not use it.",
    "https://market.example/sign-in#aml_Zk9tYTh2cXN1b3BqZmxrd2VydGl1eW1uYnZjeHp"
  ),
  expiresAt: ResponseField.time("Two minutes after it was created.")
}).annotate({ identifier: "SignInLink", description: "A link that signs in once." })

export const toListedSession =
  (current: SessionId | null) =>
  (session: CoreSession): typeof ListedSession.Type => ({
    id: session.id,
    method: session.method,
    userAgent: session.userAgent,
    current: session.id === current,
    elevatedUntil: session.elevatedUntil === null ? null : Timestamp.toIso(session.elevatedUntil),
    createdAt: Timestamp.toIso(session.createdAt),
    lastUsedAt: Timestamp.toIso(session.lastUsedAt),
    expiresAt: Timestamp.toIso(endOf(session))
  })

/** The session that makes or starts with this request. */
export const toSession = (signedIn: SignedIn): typeof Session.Type => ({
  ...toListedSession(signedIn.session.id)(signedIn.session),
  account: signedIn.account === null ? null : toAccount(signedIn.account),
  operator: actsAsOperator(signedIn)
})
