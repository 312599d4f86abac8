import { plain } from "../terminal/plain.ts"
import { safeJson } from "../terminal/safeJson.ts"
import { style } from "../terminal/style.ts"
import type { Page } from "../terminal/Surroundings.ts"
import type { CommandFailure } from "./CommandFailure.ts"

/** A failure as standard error gets it. */
export const showFailure = (failure: CommandFailure, page: Page, json: boolean): string => {
  const { code, details, hint, message, requestId, statusCode } = failure
  if (json) return `${safeJson({ error: { code, message, hint, statusCode, details, requestId } })}\n`
  const lines = [
    `${style(page, "red", "error:")} ${plain.line(message)}`,
    ...(hint === undefined ? [] : [plain.line(hint)]),
    ...(code === "INTERNAL_ERROR" && requestId !== undefined ? [`request id: ${plain.line(requestId)}`] : [])
  ]
  return `${lines.join("\n")}\n`
}
