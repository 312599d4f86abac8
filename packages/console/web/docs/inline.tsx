import MarkdownIt from "markdown-it"

const inline = new MarkdownIt({ html: false, linkify: false })

/** A description of the document: one paragraph of Markdown. */
export const Text = ({ of }: { readonly of: string | undefined }) =>
  of === undefined || of === "" ? null : <p dangerouslySetInnerHTML={{ __html: inline.renderInline(of) }} />
