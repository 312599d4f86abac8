import { styleText } from "node:util"
import type { Page } from "./Surroundings.ts"

/** Emphasis where the page has colours, else the text as it is. */
export const style = (
  page: Pick<Page, "canColor">,
  format: "bold" | "dim" | "red" | "green" | "yellow",
  text: string
) => (page.canColor ? styleText(format, text, { validateStream: false }) : text)
