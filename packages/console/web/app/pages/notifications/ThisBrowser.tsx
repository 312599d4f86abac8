import type { NotificationChannel } from "@agent-marketplace/client/wire/Endpoints"
import { useMutation, useQuery } from "@tanstack/react-query"
import { Alert, Card } from "../../../ui/Page.tsx"
import { market, messageOf } from "../../market.ts"
import { useRenew } from "../../useAct.ts"
import { isSubscribed, isSupported, PushProblem, rememberedChannel, removeChannel, turnOn } from "./push.ts"

const textOf = (error: Error): string => (error instanceof PushProblem ? error.message : messageOf(error))

/** Why this browser cannot be notified; undefined if it can. */
const obstacleOf = (publicKey: string | null): string | undefined => {
  if (publicKey === null) return "This market sends no push messages."
  if (!isSupported())
    return "This browser cannot show notifications of web pages. On an iPhone or iPad, add the console to the home screen first."
  return Notification.permission === "denied"
    ? "This browser blocks notifications of this page. Allow them in the settings of the browser, then load this page again."
    : undefined
}

const Switch = ({
  account,
  channels,
  publicKey
}: {
  readonly account: string
  readonly channels: ReadonlyArray<NotificationChannel>
  readonly publicKey: string
}) => {
  const renew = useRenew()
  const subscribed = useQuery({ queryKey: ["push", "subscribed"], queryFn: isSubscribed })
  const own = rememberedChannel(account)
  const channel = channels.find(({ id }) => id === own)
  const isOn = channel !== undefined && subscribed.data === true
  const { error, isPending, mutate } = useMutation({
    mutationFn: async () => {
      if (own !== null) await removeChannel(account, own)
      if (!isOn) await turnOn(account, publicKey)
    },
    onSettled: () => renew("channels", "push")
  })
  const ended = own !== null && !isOn && subscribed.data !== undefined
  return (
    <>
      <p className="text-muted">
        {isOn
          ? "This browser shows a notification when something happens, also while the console is closed."
          : ended
            ? "The subscription of this browser has ended. Turn it on again to be notified here."
            : "Show a notification in this browser when something happens, also while the console is closed."}
      </p>
      {error === null ? null : <Alert>{textOf(error)}</Alert>}
      <button
        type="button"
        className={`button justify-self-start ${isOn ? "" : "button-primary"}`}
        disabled={isPending}
        onClick={() => mutate()}
      >
        {isPending ? "One moment…" : isOn ? "Turn off in this browser" : "Turn on in this browser"}
      </button>
    </>
  )
}

/** Push messages to this browser (CONSOLE-50). */
export const ThisBrowser = ({
  account,
  channels
}: {
  readonly account: string
  readonly channels: ReadonlyArray<NotificationChannel>
}) => {
  const { data } = useQuery({ queryKey: ["push", "key"], queryFn: () => market.notifications.pushKey() })
  if (data === undefined) return null
  const { publicKey } = data
  const obstacle = obstacleOf(publicKey)
  return (
    <Card title="This browser">
      <div className="grid grid-cols-[minmax(0,1fr)] gap-3">
        {obstacle !== undefined || publicKey === null ? (
          <p className="text-muted">{obstacle}</p>
        ) : (
          <Switch account={account} channels={channels} publicKey={publicKey} />
        )}
      </div>
    </Card>
  )
}
