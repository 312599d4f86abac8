import { useQuery } from "@tanstack/react-query"
import { Loaded } from "../../ui/Loaded.tsx"
import { Empty, Page } from "../../ui/Page.tsx"
import { market } from "../market.ts"
import { sessionQuery } from "../session.ts"
import { AddChannel } from "./notifications/AddChannel.tsx"
import { Channel } from "./notifications/Channel.tsx"
import { Preferences } from "./notifications/Preferences.tsx"
import { ThisBrowser } from "./notifications/ThisBrowser.tsx"

/** Messages are sent without an event of the account, so the channels are read again. In milliseconds. */
const refetchInterval = 15_000

const Channels = ({ account }: { readonly account: string }) => {
  // An account has at most 10 channels (NOTIFY-12).
  const query = useQuery({
    queryKey: ["channels"],
    queryFn: () => market.notifications.channels.list({ limit: 10 }),
    refetchInterval
  })
  return (
    <Loaded query={query}>
      {(channels) => (
        <>
          {channels.length === 0 ? (
            <Empty title="You are not notified yet">
              A channel is where messages about your account go: this browser, an e-mail address or a chat. Add the
              first one below.
            </Empty>
          ) : (
            <ul className="card divide-y divide-line" aria-label="Channels">
              {channels.map((channel) => (
                <li key={channel.id} className="px-5 py-3">
                  <Channel account={account} channel={channel} />
                </li>
              ))}
            </ul>
          )}
          <ThisBrowser account={account} channels={channels} />
        </>
      )}
    </Loaded>
  )
}

/** Where the account is notified, and of what (CONSOLE-46 to CONSOLE-50). */
const Notifications = () => {
  const { data: session } = useQuery(sessionQuery)
  const settings = useQuery({ queryKey: ["notifications"], queryFn: () => market.notifications.get() })
  return (
    <Page title="Notifications" lead="What this market tells you, and where. Nothing is decided by opening a message.">
      <Channels account={session?.account?.id ?? ""} />
      <Loaded query={settings}>
        {(data) => (
          <>
            <AddChannel available={data.kinds} />
            <Preferences settings={data} />
          </>
        )}
      </Loaded>
    </Page>
  )
}

export default Notifications
