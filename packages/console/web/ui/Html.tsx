/** Text of a stranger that `markdownToHtml` has formatted. */
export const Html = ({ html }: { readonly html: string }) => (
  <div className="prose max-w-none wrap-anywhere" dir="auto" dangerouslySetInnerHTML={{ __html: html }} />
)
