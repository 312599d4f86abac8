import type { HttpServerResponse } from "effect/http"
import { html, page } from "./html.ts"

/** The page for a request that cannot be sent back to the application. */
export const errorPage = (description: string, status: number): HttpServerResponse.HttpServerResponse =>
  page("The application's request is not valid", html`<p class="problem">${description}</p>`, { status })
