import type { NotificationChannel } from "@agent-marketplace/client/wire/Endpoints"
import { useState } from "react"
import { Confirm } from "../../../ui/Confirm.tsx"
import { Field, SelectField } from "../../../ui/Field.tsx"
import { Form } from "../../../ui/Form.tsx"
import { Alert, Notice } from "../../../ui/Page.tsx"
import { Time } from "../../../ui/Time.tsx"
import { market, messageOf } from "../../market.ts"
import { useAct, useRenew } from "../../useAct.ts"
import { digests, titleOf } from "./kinds.ts"
import { rememberedChannel, removeChannel } from "./push.ts"

/** Nothing is sent to an address before its code was entered (CONSOLE-47). */
const EnterCode = ({ channel: { id, label } }: { readonly channel: NotificationChannel }) => {
  const [code, setCode] = useState("")
  const verify = useAct(() => market.notifications.channels.verify(id, { code: code.trim() }), "channels")
  const again = useAct(() => market.notifications.channels.sendCode(id), "channels")
  return (
    <>
      <Form
        button="Confirm"
        error={verify.error}
        isPending={verify.isPending}
        onSubmit={() => verify.mutate(undefined)}
      >
        <Field
          label={`Code sent to ${label}`}
          hint="8 letters and digits, valid for 30 minutes. Nothing else is sent before."
          required
          maxLength={40}
          autoComplete="one-time-code"
          autoCapitalize="none"
          spellCheck={false}
          issue={verify.issues.get("code")}
          value={code}
          onChange={({ target }) => setCode(target.value)}
        />
      </Form>
      {again.error === null ? null : <Alert>{messageOf(again.error)}</Alert>}
      {again.data === undefined ? null : <Notice>A new code was sent. The old one is void.</Notice>}
      <button
        type="button"
        className="button justify-self-start"
        disabled={again.isPending}
        onClick={() => again.mutate(undefined)}
      >
        Send a new code
      </button>
    </>
  )
}

const Acts = ({ account, channel }: { readonly account: string; readonly channel: NotificationChannel }) => {
  const { digest, enabled, id, label, verified } = channel
  const renew = useRenew()
  const name = `${titleOf(channel.kind)} ${label}`
  const test = useAct(() => market.notifications.channels.test(id), "channels")
  const change = useAct(
    (changes: { readonly enabled?: boolean; readonly digest?: typeof digest }) =>
      market.notifications.channels.update(id, changes),
    "channels"
  )
  return (
    <>
      {verified ? (
        <div className="max-w-sm">
          <SelectField
            label="When"
            aria-label={`When: ${name}`}
            options={digests}
            value={digest}
            disabled={change.isPending}
            onChange={({ target }) => change.mutate({ digest: target.value as typeof digest })}
          />
        </div>
      ) : null}
      {change.error === null ? null : <Alert>{messageOf(change.error)}</Alert>}
      {test.error === null ? null : <Alert>{messageOf(test.error)}</Alert>}
      {test.data === undefined ? null : test.data.sent ? (
        <Notice>The test message was accepted.</Notice>
      ) : (
        <Alert>The test message was not accepted: {test.data.problem}.</Alert>
      )}
      <div className="flex flex-wrap gap-3">
        {verified && enabled ? (
          <button
            type="button"
            className="button"
            aria-label={`Send a test message: ${name}`}
            disabled={test.isPending}
            onClick={() => test.mutate(undefined)}
          >
            {test.isPending ? "Sending…" : "Send a test message"}
          </button>
        ) : null}
        {verified ? (
          <button
            type="button"
            className="button"
            aria-label={`Turn ${enabled ? "off" : "on"}: ${name}`}
            disabled={change.isPending}
            onClick={() => {
              test.reset()
              change.mutate({ enabled: !enabled })
            }}
          >
            {enabled ? "Turn off" : "Turn on"}
          </button>
        ) : null}
        <Confirm
          quiet
          button="Remove"
          label={`Remove: ${name}`}
          title={`Remove ${name}?`}
          danger
          act={() => removeChannel(account, id)}
          onDone={() => void renew("channels", "push")}
        >
          Nothing more is sent there. Notifications that wait for it are dropped.
        </Confirm>
      </div>
    </>
  )
}

/** One channel in the list: its state in words, and what can be done with it (CONSOLE-47). */
export const Channel = ({ account, channel }: { readonly account: string; readonly channel: NotificationChannel }) => {
  const { createdAt, enabled, id, kind, label, lastSentAt, problem, verified } = channel
  const [text, color] = !verified
    ? ["Not confirmed", "text-warn"]
    : enabled
      ? ["On", "text-good"]
      : ["Off", "text-muted"]
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-3 py-1">
      <div>
        <p className="flex flex-wrap items-center gap-2">
          <span className="font-medium">{titleOf(kind)}</span>
          <span className="wrap-anywhere" dir="ltr">
            {label}
          </span>
          <span className={`badge ${color}`}>{text}</span>
          {rememberedChannel(account) === id ? <span className="badge">This browser</span> : null}
        </p>
        <p className="text-sm text-muted">
          Added <Time at={createdAt} />,{" "}
          {lastSentAt === null ? (
            "nothing sent yet"
          ) : (
            <>
              last sent <Time at={lastSentAt} exact />
            </>
          )}
        </p>
        {problem === null ? null : (
          <p className="text-sm text-warn wrap-anywhere">The last message was not accepted: {problem}.</p>
        )}
      </div>
      {verified ? null : <EnterCode channel={channel} />}
      <Acts account={account} channel={channel} />
    </div>
  )
}
