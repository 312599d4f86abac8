import { signIn } from "../fixtures/Browser.ts"
import { dataOf } from "../fixtures/Client.ts"
import type { Reply } from "../fixtures/Client.ts"
import type { Member } from "../fixtures/Market.ts"

/** A person who decides about applications. */
export interface Person {
  readonly request: (id: string) => Promise<Reply>
  readonly requestByCode: (userCode: string) => Promise<Reply>
  readonly tryDecide: (id: string, decision: object) => Promise<Reply>
  /** Where the browser goes next. */
  readonly decide: (id: string, decision: object) => Promise<string>
}

/** The owner, signed in with a browser. */
export const consentOf = async (baseUrl: string, owner: Member): Promise<Person> => {
  const page = await signIn(baseUrl, { apiKey: owner.key })
  const tryDecide = (id: string, decision: object) => page.post(`/api/v1/oauth/requests/${id}/decision`, decision)
  return {
    request: (id) => page.get(`/api/v1/oauth/requests/${id}`),
    requestByCode: (userCode) => page.get(`/api/v1/oauth/requests?user_code=${encodeURIComponent(userCode)}`),
    tryDecide,
    decide: async (id, decision) => dataOf<{ redirectTo: string }>(await tryDecide(id, decision)).redirectTo
  }
}
