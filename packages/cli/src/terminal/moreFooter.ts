/** What to say below a page of a list that goes on; undefined where it does not. */
export const moreFooter = (page: number, shown: number, total: number, limit: number): string | undefined =>
  (page - 1) * limit + shown < total ? `${total} in all; --page ${page + 1} shows more.` : undefined
