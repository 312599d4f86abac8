import { plain } from "./plain.ts"
import { style } from "./style.ts"
import type { Page } from "./Surroundings.ts"

/** What a record holds, a line each; what is absent is passed over. Without a terminal the name and the value stand apart by a tab. */
export const fields = (
  page: Page,
  entries: ReadonlyArray<readonly [name: string, value: string | number | null | undefined]>
): string => {
  const present = entries.filter(([, value]) => value !== null && value !== undefined && value !== "")
  const width = Math.max(0, ...present.map(([name]) => name.length))
  return present
    .map(([name, value]) => {
      const text = plain.line(String(value))
      return page.isTerminal ? `${style(page, "dim", name.padEnd(width))}  ${text}` : `${name}\t${text}`
    })
    .join("\n")
}
