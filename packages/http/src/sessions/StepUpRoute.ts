import { returnScript, scriptedPage } from "./scriptedPage.ts"

/** Runs in the browser. It returns to the page that asked, and to no other address. */
const script = `
${returnScript}
document.forms[0].addEventListener("submit", async (event) => {
  event.preventDefault()
  try {
    await usePasskey("/current/step-up")
    say("Confirmed. You can approve for the next five minutes.")
    document.forms[0].hidden = true
    if (cameFrom !== null) location.assign(cameFrom)
  } catch (error) {
    say("Not confirmed: " + error.message)
  }
})
`

/** The page on which a session is confirmed with a passkey, because the pages that need it run no script (PASSKEY-10). */
export const StepUpRoute = scriptedPage({
  path: "/step-up",
  title: "Confirm that it is you",
  body: `<p>Your account has a passkey. Confirm with it before you approve a purchase or give an application access.</p>
<form><button>Confirm with a passkey</button></form>
<p class="note">A confirmation is valid for five minutes, in this browser only.</p>`,
  script
})

/** The address of the page, for a person who comes from the page of an approval or of a request for access. */
export const stepUpAddress = (base: string, kind: "approval" | "request", id: string): string =>
  `${base}${StepUpRoute.route.path}?${kind}=${encodeURIComponent(id)}`
