import { useEffect, useRef, useState } from "react"
import type { SearchPage } from "./ShopPage.ts"

/** How long after the last key a search starts, in milliseconds. */
const delay = 250

/**
 * Results that follow the filters without loading the page (SHOP-15). The address follows them too. Only the latest search is shown, and
 * a failed one leaves the results as they are: the form can still be sent.
 */
export const useLiveSearch = (
  base: string,
  rendered: SearchPage
): { readonly page: SearchPage; readonly show: (wanted: URLSearchParams) => void } => {
  const [page, setPage] = useState(rendered)
  const running = useRef<AbortController>(null)
  useEffect(() => () => running.current?.abort(), [])
  const show = (wanted: URLSearchParams) => {
    running.current?.abort()
    const { signal } = (running.current = new AbortController())
    const given = new URLSearchParams([...wanted].filter(([, value]) => value !== "")).toString()
    const query = given === "" ? "" : `?${given}`
    setTimeout(() => {
      if (signal.aborted) return
      fetch(`${base}/data/search${query}`, { signal })
        .then((response) => (response.ok ? (response.json() as Promise<SearchPage>) : Promise.reject(response)))
        .then((found) => {
          history.replaceState(history.state, "", `${base}/search${query}`)
          setPage(found)
        })
        .catch(() => undefined)
    }, delay)
  }
  return { page, show }
}
