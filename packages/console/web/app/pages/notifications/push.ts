import { MarketplaceError } from "@agent-marketplace/client/MarketplaceError"
import { base, market } from "../../market.ts"

/** The channel that this browser made for an account. Subscriptions have no id of the market, so it is remembered here. */
const nameOf = (account: string) => `agent-marketplace-push${base}/${account}`

/** A browser that stores nothing remembers nothing. */
export const rememberedChannel = (account: string): string | null => {
  try {
    return localStorage.getItem(nameOf(account))
  } catch {
    return null
  }
}

const remember = (account: string, id: string | null): void => {
  try {
    if (id === null) localStorage.removeItem(nameOf(account))
    else localStorage.setItem(nameOf(account), id)
  } catch {
    // The channel works without it, but this page cannot tell that it is this browser's.
  }
}

export const isSupported = (): boolean =>
  "serviceWorker" in navigator && "PushManager" in globalThis && "Notification" in globalThis

const scope = `${base}/console/`

const registration = async (): Promise<ServiceWorkerRegistration | undefined> =>
  navigator.serviceWorker.getRegistration(scope)

/** Whether this browser has a subscription that has not expired. */
export const isSubscribed = async (): Promise<boolean> => {
  if (!isSupported() || Notification.permission !== "granted") return false
  const subscription = await (await registration())?.pushManager.getSubscription()
  const expires = subscription?.expirationTime ?? null
  return subscription !== undefined && subscription !== null && (expires === null || expires > Date.now())
}

/** A failure of the browser, in words. */
export class PushProblem extends Error {}

const bytesOf = (key: string): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(atob(key.replaceAll("-", "+").replaceAll("_", "/")), (letter) => letter.charCodeAt(0))

const hasKey = ({ options }: PushSubscription, key: Uint8Array): boolean => {
  const own = new Uint8Array(options.applicationServerKey ?? new ArrayBuffer(0))
  return own.length === key.length && own.every((byte, index) => byte === key[index])
}

/** The subscription of this browser with the market's key. One with another key is of no use to the market. */
const subscribe = async (publicKey: string): Promise<PushSubscription> => {
  await navigator.serviceWorker.register(`${scope}push-worker.js`, { scope })
  const { pushManager } = await navigator.serviceWorker.ready
  const applicationServerKey = bytesOf(publicKey)
  const present = await pushManager.getSubscription()
  if (present !== null && hasKey(present, applicationServerKey)) return present
  await present?.unsubscribe()
  return pushManager.subscribe({ userVisibleOnly: true, applicationServerKey })
}

const subscribed = async (publicKey: string): Promise<PushSubscription> => {
  try {
    return await subscribe(publicKey)
  } catch {
    throw new PushProblem(
      "The push service of this browser did not accept the subscription. Private windows and some networks block it. Try again later, or add another channel."
    )
  }
}

/** Asks for the permission, subscribes, and registers the subscription as a channel of the account. */
export const turnOn = async (account: string, publicKey: string): Promise<void> => {
  const permission = await Notification.requestPermission()
  if (permission === "denied")
    throw new PushProblem("This browser blocks notifications of this page. Allow them in its settings, and try again.")
  if (permission !== "granted") throw new PushProblem("You did not allow notifications. Nothing was changed.")
  const subscription = await subscribed(publicKey)
  const { endpoint = "", keys = {} } = subscription.toJSON()
  try {
    const { id } = await market.notifications.channels.add({
      kind: "push",
      endpoint,
      p256dh: keys["p256dh"] ?? "",
      auth: keys["auth"] ?? ""
    })
    remember(account, id)
  } catch (error) {
    await subscription.unsubscribe()
    throw error
  }
}

/** Removes a channel of the account; the one of this browser also ends its subscription. */
export const removeChannel = async (account: string | undefined, id: string): Promise<void> => {
  try {
    await market.notifications.channels.remove(id)
  } catch (error) {
    if (!(error instanceof MarketplaceError) || error.statusCode !== 404) throw error
  }
  if (account === undefined || rememberedChannel(account) !== id) return
  const subscription = isSupported() ? await (await registration())?.pushManager.getSubscription() : null
  await subscription?.unsubscribe()
  remember(account, null)
}
