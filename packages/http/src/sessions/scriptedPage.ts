import { RouteNotFound } from "@agent-marketplace/api/errors/HttpFault"
import { Effect, Layer } from "effect"
import { HttpRouter, HttpServerResponse } from "effect/http"
import { hash } from "node:crypto"
import { currentRequest } from "../edge/CurrentRequest.ts"
import { entityTag } from "../edge/PublicResponse.ts"
import { failureResponse } from "../edge/FailureResponse.ts"
import { styleElement, styleSource } from "../oauth/pages/html.ts"
import { SessionAccess } from "./SessionAccess.ts"

/** A page of the market that needs a script, because only a script can use a passkey. Its texts are constant. */
interface ScriptedPage {
  readonly path: `/${string}`
  readonly title: string
  /** The markup below the heading. */
  readonly body: string
  /** Its JavaScript, the only one that the browser executes here. */
  readonly script: string
}

/**
 * The page that a person comes from, which names itself as `?approval=` or `?request=`; null if there is none. The script goes to no other
 * address (PASSKEY-10).
 */
export const returnScript = `
const [, kind, id] = /^\\?(approval|request)=((?:apr|oar)_[A-Za-z0-9_-]{1,100})$/.exec(location.search) ?? []
const cameFrom = kind === undefined ? null : kind === "approval" ? "approvals/" + id : "oauth/consent?again=1&request=" + id
const say = (text) => { document.querySelector("output").textContent = text }
const call = async (path, body) => {
  const response = await fetch("api/v1/sessions" + path, {
    method: "POST",
    headers: { "content-type": "application/json", "x-requested-with": "console" },
    body: JSON.stringify(body)
  })
  const answer = await response.json()
  if (!response.ok) throw new Error(answer.error.message)
  return answer.data
}
const usePasskey = async (path) => {
  const options = PublicKeyCredential.parseRequestOptionsFromJSON(await call(path + "/options", {}))
  return call(path, (await navigator.credentials.get({ publicKey: options })).toJSON())
}
`

const policyFor = (script: string): string =>
  [
    "default-src 'none'",
    `script-src 'sha256-${hash("sha256", script, "base64")}'`,
    `style-src ${styleSource}`,
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'"
  ].join("; ")

const markupOf = ({ body, script, title }: ScriptedPage): string => `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>${title} · Agent Marketplace</title>
${styleElement}
<main>
<h1>${title}</h1>
${body}
<p><output></output></p>
<noscript>This page needs JavaScript.</noscript>
</main>
<script>${script}</script>
</html>
`

/** The route of a page with a script. Loading it changes nothing. There is none where sessions are off. */
export const scriptedPage = (page: ScriptedPage) => {
  const { path, script } = page
  const markup = markupOf(page)
  const response = HttpServerResponse.text(markup, {
    contentType: "text/html; charset=utf-8",
    headers: {
      etag: entityTag(markup),
      "cache-control": "public, max-age=300",
      "content-security-policy": policyFor(script)
    }
  })
  return {
    route: { method: "GET", path },
    layer: Layer.effectDiscard(
      Effect.gen(function* () {
        const router = yield* HttpRouter.HttpRouter
        const { cookie } = yield* SessionAccess
        yield* router.add(
          "GET",
          path,
          Effect.flatMap(currentRequest, (record) => {
            record.route = path
            return Effect.match(cookie, {
              onSuccess: () => response,
              onFailure: () => failureResponse(new RouteNotFound(), "general", record.id)
            })
          })
        )
      })
    )
  } as const
}
