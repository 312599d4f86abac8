import { useSyncExternalStore } from "react"

const never = () => () => undefined

/** False while the page of the server is shown, which does not know the reader's time zone. */
const useIsBrowser = (): boolean =>
  useSyncExternalStore(
    never,
    () => true,
    () => false
  )

/** A time: the date in the reader's zone, with the exact time as its title. */
export const Time = ({ at, exact = false }: { readonly at: string; readonly exact?: boolean }) => {
  const isBrowser = useIsBrowser()
  const date = new Date(at)
  const style = exact ? ({ dateStyle: "medium", timeStyle: "short" } as const) : ({ dateStyle: "medium" } as const)
  const text = isBrowser ? date.toLocaleString(undefined, style) : at.slice(0, exact ? 16 : 10).replace("T", " ")
  return (
    <time
      dateTime={at}
      title={isBrowser ? date.toLocaleString(undefined, { dateStyle: "full", timeStyle: "long" }) : at}
    >
      {text}
    </time>
  )
}
