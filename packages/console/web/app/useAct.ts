import { useMutation, useQueryClient } from "@tanstack/react-query"
import { confirmed, issuesOf } from "./market.ts"
import { useSingle } from "./useSingle.ts"

/** Renews the lists whose query keys start with one of these. */
export const useRenew = (): ((...lists: ReadonlyArray<string>) => Promise<unknown>) => {
  const client = useQueryClient()
  return (...lists) => Promise.all(lists.map((list) => client.invalidateQueries({ queryKey: [list] })))
}

/** What a form or button does: the call, and the lists that it changes. Asks for a passkey where the market requires one. */
export const useAct = <A, B>(act: (input: A) => Promise<B>, ...lists: ReadonlyArray<string>) => {
  const renew = useRenew()
  const { data, error, isPending, mutate, reset } = useMutation({
    mutationFn: useSingle((input: A) => confirmed(() => act(input))),
    // Also after a failure, because an answer that was lost may have changed the lists.
    onSettled: () => void renew(...lists)
  })
  return { data, error, isPending, issues: issuesOf(error), mutate, reset }
}
