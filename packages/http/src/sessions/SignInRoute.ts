import { returnScript, scriptedPage } from "./scriptedPage.ts"

/**
 * Runs in the browser. The fragment of a link is used only when the person presses the button (SESSION-6). A person who comes from the page of
 * an approval or of a consent returns to it (APPROVAL-9); others get a link to the console, where the market serves one.
 */
const script = `
const link = location.hash.length > 1 ? location.origin + location.pathname + location.hash : null
${returnScript}
history.replaceState(null, "", location.pathname)
const signIn = async (credential) => {
  try {
    const { account } = await credential()
    say("You are signed in as " + (account === null ? "the operator" : account.name) + ".")
    for (const form of document.forms) form.hidden = true
    if (cameFrom !== null) location.assign(cameFrom)
    else document.getElementById("console").hidden = !(await fetch("console", { method: "HEAD" })).ok
  } catch (error) {
    say("Not signed in: " + error.message)
  }
}
const on = (id, credential) => document.getElementById(id).addEventListener("submit", (event) => {
  event.preventDefault()
  void signIn(credential)
})
on("link", () => call("", { link }))
on("key", () => call("", { apiKey: document.getElementById("api-key").value.trim() }))
on("passkey", () => usePasskey("/passkey"))
document.getElementById("link").hidden = link === null
`

/** The page that sign-in links open. Loading it changes nothing (SESSION-6). */
export const SignInRoute = scriptedPage({
  path: "/sign-in",
  title: "Sign in",
  body: `<form id="link" hidden><button>Sign in with this link</button></form>
<form id="passkey"><button>Use a passkey</button></form>
<form id="key">
<label for="api-key">Or an API key with the scope FULL
<input id="api-key" type="password" autocomplete="off" required></label>
<button>Sign in</button>
</form>
<p id="console" hidden><a href="console">Open the console</a></p>`,
  script
})
