import type { AuthorizationRequest } from "@agent-marketplace/core/oauth/AuthorizationRequest"
import type { OauthScope } from "@agent-marketplace/core/oauth/OauthScope"
import { RedirectUri } from "@agent-marketplace/core/oauth/RedirectUri"
import { Text } from "@agent-marketplace/core/text/Text"
import type { HttpServerResponse } from "effect/http"
import { oauthPaths } from "../OauthMetadata.ts"
import type { Html } from "./html.ts"
import { confirmHtml, html, page } from "./html.ts"

type Page = HttpServerResponse.HttpServerResponse

const meanings: Readonly<Record<OauthScope, string>> = {
  read: "Read your account: wallet, purchases, licenses and sales",
  buy: "Buy for you, within the limits that you set",
  sell: "Publish and manage what you sell, and refund sales"
}

/** An untrusted name, cut to a length that keeps the rest of the page visible. */
const foreign = (name: string): string => Text.clip(name, 60)

const problemHtml = (problem: string | undefined): Html =>
  problem === undefined ? html`` : html`<p class="problem">${problem}</p>`

/** Where the form's answer may redirect to: the application's origin, or the scheme of an app. */
const targetOf = ({ redirectUri }: AuthorizationRequest): ReadonlyArray<string> => {
  if (redirectUri === null) return []
  const url = new URL(redirectUri)
  return [url.host === "" ? url.protocol : url.origin]
}

const scopeHtml = (scope: OauthScope): Html =>
  html`<label><input type="checkbox" name="scope" value="${scope}" checked /> ${meanings[scope]}</label>`

const amountHtml = (name: string, label: string): Html =>
  html`<label
    >${label}<input type="text" inputmode="decimal" name="${name}" placeholder="no limit" maxlength="20"
  /></label>`

const limitsHtml = html`<fieldset>
  <legend>Limits</legend>
  <label
    ><input type="checkbox" name="autoApprove" value="true" /> Purchases within the limits need no further approval.
    Otherwise each paid purchase waits for you.</label
  >
  ${amountHtml("perTransactionLimit", "At most for one purchase (USDT)")}${amountHtml("dailyLimit", "At most in any 24 hours (USDT)")}${amountHtml("monthlyLimit", "At most in any 30 days (USDT)")}
</fieldset>`

const choicesHtml = (request: AuthorizationRequest): Html =>
  html`<fieldset>
      <legend>It may</legend>
      ${request.scopes.map(scopeHtml)}
    </fieldset>
    ${request.scopes.includes("buy") ? limitsHtml : html``} <button name="decision" value="approve">Allow</button>`

/** A request for access as it is shown to a person. */
interface ShownRequest {
  readonly base: string
  readonly request: AuthorizationRequest
  /** Protects the form. */
  readonly token: string
  readonly account: string
  /** Where the person confirms with a passkey before allowing anything; null if that is not necessary. */
  readonly confirmAt: string | null
}

const askedBy = (request: AuthorizationRequest): Html =>
  request.redirectUri === null
    ? html`<p>
        A device that calls itself <strong>${foreign(request.clientName)}</strong> asks for access. Continue only if you
        have just started this on your own device.
      </p>`
    : html`<p>
        An application that calls itself <strong>${foreign(request.clientName)}</strong> asks for access. Afterwards
        your browser goes to <strong>${RedirectUri.hostOf(request.redirectUri)}</strong>.
      </p>`

/** The pages where people decide, without scripts (OAUTH-22). */
export const consentPages = {
  decide: ({ account, base, confirmAt, request, token }: ShownRequest, problem?: string, status = 200): Page =>
    page(
      "Allow access?",
      html`${askedBy(request)}
        <p class="note">
          You are signed in as ${foreign(account)}. The application gets an agent of its own, which you can limit,
          freeze and end at any time. It can never withdraw, approve purchases or change limits.
        </p>
        ${problemHtml(problem)}
        <form method="post" action="${base + oauthPaths.consent}">
          <input type="hidden" name="request" value="${request.id}" /><input
            type="hidden"
            name="token"
            value="${token}"
          />
          ${
            confirmAt === null
              ? choicesHtml(request)
              : html`<p>It asks to:</p>
                  <ul>
                    ${request.scopes.map((scope) => html`<li>${meanings[scope]}</li>`)}
                  </ul>
                  ${confirmHtml(confirmAt, "allow this")}`
          }<button name="decision" value="deny">Refuse</button>
        </form>`,
      { status, formTargets: targetOf(request) }
    ),

  /**
   * After a redirect from another site, the browser does not send a `SameSite=Strict` cookie. This page loads the same address again,
   * and then the browser sends the cookie.
   */
  again: (address: string): Page =>
    page("One moment", html`<p><a href="${address}">Continue</a></p>`, {
      head: html`<meta http-equiv="refresh" content="0; url=${address}" />`
    }),

  signIn: (base: string, requestId: string, problem?: string, status = 200): Page =>
    page(
      "Sign in",
      html`<p>
          An application asks for access to your account. Sign in with an API key (FULL) or a sign-in link;
          <code>agent-marketplace console</code> prints one.
        </p>
        ${problemHtml(problem)}
        <form method="post" action="${base + oauthPaths.signIn}">
          <input type="hidden" name="request" value="${requestId}" /><label
            >API key or link<input
              type="password"
              name="credential"
              autocomplete="off"
              required
              maxlength="500" /></label
          ><button>Sign in</button>
        </form>
        <p><a href="${base}/sign-in?request=${encodeURIComponent(requestId)}">Use a passkey instead</a></p>`,
      { status }
    ),

  code: (base: string, problem?: string, status = 200): Page =>
    page(
      "Connect a device",
      html`${problemHtml(problem)}
        <form method="get" action="${base + oauthPaths.code}">
          <label
            >The code that your device shows<input
              type="text"
              name="user_code"
              autocomplete="off"
              required
              maxlength="20" /></label
          ><button>Continue</button>
        </form>`,
      { status }
    ),

  done: (approved: boolean): Page =>
    page(
      approved ? "The device is connected" : "Access refused",
      html`<p>${approved ? "You can close this page." : "The device gets no access. You can close this page."}</p>`
    ),

  problem: (description: string, status: number): Page =>
    page("This is not possible", html`<p class="problem">${description}</p>`, { status })
}
