import { styleElement } from "../oauth/pages/html.ts"

/**
 * Runs in the browser. The fragment of a link is used only when the person presses the button (SESSION-6). A person who comes from the page of
 * an approval returns to it, and to no other address (APPROVAL-9).
 */
const script = `
const link = location.hash.length > 1 ? location.origin + location.pathname + location.hash : null
const approval = /^\\?approval=(apr_[A-Za-z0-9_-]{1,100})$/.exec(location.search)
history.replaceState(null, "", location.pathname)
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
const signIn = async (credential) => {
  try {
    const { account } = await credential()
    say("You are signed in as " + (account === null ? "the operator" : account.name) + ".")
    for (const form of document.forms) form.hidden = true
    if (approval !== null) location.assign("approvals/" + approval[1])
  } catch (error) {
    say("Not signed in: " + error.message)
  }
}
const withPasskey = async () => {
  const options = PublicKeyCredential.parseRequestOptionsFromJSON(await call("/passkey/options", {}))
  return call("/passkey", (await navigator.credentials.get({ publicKey: options })).toJSON())
}
const on = (id, credential) => document.getElementById(id).addEventListener("submit", (event) => {
  event.preventDefault()
  void signIn(credential)
})
on("link", () => call("", { link }))
on("key", () => call("", { apiKey: document.getElementById("api-key").value.trim() }))
on("passkey", withPasskey)
document.getElementById("link").hidden = link === null
`

/** A page without other resources with which a person signs in. */
export const signInPage = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Sign in · Agent Marketplace</title>
${styleElement}
<main>
<h1>Sign in</h1>
<form id="link" hidden><button>Sign in with this link</button></form>
<form id="passkey"><button>Use a passkey</button></form>
<form id="key">
<label for="api-key">Or an API key with the scope FULL
<input id="api-key" type="password" autocomplete="off" required></label>
<button>Sign in</button>
</form>
<p><output></output></p>
<noscript>Signing in needs JavaScript.</noscript>
</main>
<script>${script}</script>
</html>
`

export const signInScript = script
