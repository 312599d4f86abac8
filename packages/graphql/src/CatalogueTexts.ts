/** How many texts are remembered. A page of a list has some tens of kilobytes. */
const most = 16

/**
 * Parses the responses of lists of the catalogue. A text that equals the last one of the same URL is not parsed again: many requests read the
 * same page, and parsing takes a third of the time of such a request. Each request still reads the list. The values must not be changed.
 */
export const makeCatalogueTexts = (): ((url: string, text: string) => unknown) => {
  const last = new Map<string, { readonly text: string; readonly value: unknown }>()
  return (url, text) => {
    const known = last.get(url)
    if (known?.text === text) return known.value
    const value: unknown = JSON.parse(text)
    last.delete(url)
    last.set(url, { text, value })
    const [oldest] = last.keys()
    if (last.size > most && oldest !== undefined) last.delete(oldest)
    return value
  }
}
