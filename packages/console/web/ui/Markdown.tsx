import { useMemo } from "react"
import { Html } from "./Html.tsx"
import { markdownToHtml } from "./markdown.ts"

/** Text of a stranger, formatted. */
export const Markdown = ({ text }: { readonly text: string }) => (
  <Html html={useMemo(() => markdownToHtml(text), [text])} />
)
