import { useRef } from "react"

/** An act that runs once at a time: a second call meanwhile, such as that of a double click, waits for the first one (CONSOLE-61). */
export const useSingle = <A, B>(act: (input: A) => Promise<B>): ((input: A) => Promise<B>) => {
  const running = useRef<Promise<B>>(undefined)
  return (input) =>
    (running.current ??= act(input).finally(() => {
      running.current = undefined
    }))
}
