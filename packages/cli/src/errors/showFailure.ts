import type { Page } from "../terminal/CliContext.ts"
import { safeJson } from "../terminal/report.ts"
import { plain, style } from "../terminal/text.ts"
import type { CommandFailure } from "./CommandFailure.ts"

/** A failure as it is printed on standard error. */
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
