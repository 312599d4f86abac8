import type { Send } from "../requests/Send.ts"

/** A table of operations, each bound to a client. */
export type BoundOperations<T> = {
  readonly [N in keyof T]: T[N] extends (send: Send) => infer O ? O : BoundOperations<T[N]>
}

export const bindOperations = <T extends object>(table: T, send: Send): BoundOperations<T> =>
  Object.fromEntries(
    Object.entries(table).map(([name, entry]) => [
      name,
      typeof entry === "function" ? entry(send) : bindOperations(entry, send)
    ])
  ) as BoundOperations<T>
