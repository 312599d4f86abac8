import { AlertDialog } from "@base-ui/react/alert-dialog"
import { base } from "./market.ts"
import { SignInForm } from "./SignIn.tsx"

/** Covers a page whose session has ended until the person is signed in again. The page below keeps what was typed (CONSOLE-63). */
const SignInAgain = () => (
  <AlertDialog.Root open>
    <AlertDialog.Portal>
      <AlertDialog.Backdrop className="fixed inset-0 bg-page" />
      <AlertDialog.Popup className="card fixed inset-x-4 top-4 mx-auto grid max-h-[calc(100dvh-2rem)] max-w-sm gap-4 overflow-y-auto p-5 sm:top-1/6">
        <AlertDialog.Title className="text-lg font-semibold">Your session has ended</AlertDialog.Title>
        <AlertDialog.Description>Sign in to go on where you were. Nothing you typed is lost.</AlertDialog.Description>
        <SignInForm />
        <a className="link text-sm" href={`${base}/`}>
          Leave the console
        </a>
      </AlertDialog.Popup>
    </AlertDialog.Portal>
  </AlertDialog.Root>
)

export default SignInAgain
