/**
 * Shows the push messages of the market as notifications of the browser (NOTIFY-16, CONSOLE-51). It handles no requests of pages and decides nothing.
 */
interface Shown {
  readonly id: string
  readonly urgent: boolean
  readonly title: string
  readonly body: string
  readonly url: string
}

interface PushEvent extends ExtendableEvent {
  readonly data: { readonly json: () => unknown } | null
}

interface ExtendableEvent extends Event {
  readonly waitUntil: (work: Promise<unknown>) => void
}

interface ClickEvent extends ExtendableEvent {
  readonly notification: Notification
}

interface WindowClient {
  readonly url: string
  readonly focus: () => Promise<unknown>
  readonly navigate: (url: string) => Promise<unknown>
}

interface Worker {
  readonly location: Location
  readonly registration: ServiceWorkerRegistration
  readonly clients: {
    readonly matchAll: (options: {
      readonly type: "window"
      readonly includeUncontrolled: boolean
    }) => Promise<ReadonlyArray<WindowClient>>
    readonly openWindow: (url: string) => Promise<unknown>
  }
  readonly addEventListener: <E extends Event>(type: string, listener: (event: E) => void) => void
}

const worker = globalThis as unknown as Worker

/** Browsers require that each push message shows something, also one that cannot be read. */
const unreadable: Shown = {
  id: "unreadable",
  urgent: false,
  title: "Something happened in your market",
  body: "Open the console to see it.",
  url: ""
}

const readMessage = ({ data }: PushEvent): Shown => {
  try {
    const message = data?.json() as Partial<Shown> | null | undefined
    return typeof message?.title === "string" ? { ...unreadable, ...message } : unreadable
  } catch {
    return unreadable
  }
}

/** Pages of this market only: another origin opens the console. */
const pageOf = (url: unknown): string => {
  const home = worker.registration.scope
  if (typeof url !== "string" || !URL.canParse(url, home)) return home
  const { href, origin } = new URL(url, home)
  return origin === worker.location.origin ? href : home
}

const show = ({ body, id, title, urgent, url }: Shown): Promise<void> =>
  worker.registration.showNotification(title, {
    body,
    // A message that is repeated replaces itself.
    tag: id,
    requireInteraction: urgent,
    icon: new URL("../assets/icon.svg", worker.registration.scope).href,
    data: { url: pageOf(url) }
  })

/** Shows the page in a tab that shows it already, or in a new one. */
const open = async (url: string): Promise<void> => {
  const tabs = await worker.clients.matchAll({ type: "window", includeUncontrolled: true })
  const tab = tabs.find((each) => each.url === url)
  await (tab === undefined ? worker.clients.openWindow(url) : tab.focus())
}

worker.addEventListener("push", (event: PushEvent) => event.waitUntil(show(readMessage(event))))

worker.addEventListener("notificationclick", (event: ClickEvent) => {
  const { notification } = event
  notification.close()
  event.waitUntil(open(pageOf((notification.data as { readonly url?: unknown } | null)?.url)))
})
