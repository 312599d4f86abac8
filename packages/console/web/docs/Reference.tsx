import { Code } from "./Code.tsx"
import { Body, Parameters, useDocument } from "./Fields.tsx"
import { Text } from "./inline.tsx"
import type { Media, Operation, Parameter, Reply } from "./OpenApi.ts"
import { replyOf } from "./OpenApi.ts"
import { clientSample, curlSample } from "./samples.ts"
import type { AccessFacts, ClientCall } from "./Sources.ts"

/** An operation with what other documents know about it. */
export interface DocumentedOperation extends Operation {
  readonly access: AccessFacts
  readonly client: ClientCall | undefined
}

const places: ReadonlyArray<readonly [place: Parameter["in"], title: string]> = [
  ["path", "Path"],
  ["query", "Query"],
  ["header", "Headers"]
]

const Inputs = ({ parameters = [] }: { readonly parameters: ReadonlyArray<Parameter> | undefined }) =>
  places.map(([place, title]) => {
    const there = parameters.filter((parameter) => parameter.in === place)
    return there.length === 0 ? null : (
      <section key={place}>
        <h3>{title}</h3>
        <Parameters of={there} />
      </section>
    )
  })

const contentOf = ({ content = {} }: Reply): readonly [string, Media] | undefined => Object.entries(content)[0]

const isFailure = (status: string): boolean => /^[45]/.test(status)

const Errors = ({ responses }: Pick<Operation, "responses">) => {
  const document = useDocument()
  const failures = Object.entries(responses).filter(([status]) => isFailure(status))
  if (failures.length === 0) return null
  return (
    <details className="nested">
      <summary>Errors</summary>
      <dl className="errors">
        {failures.map(([status, reply]) => (
          <div key={status}>
            <dt>{status}</dt>
            <dd>{replyOf(document, reply).description}</dd>
          </div>
        ))}
      </dl>
    </details>
  )
}

const Result = ({ reply: given, status }: { readonly reply: Reply; readonly status: string }) => {
  const reply = replyOf(useDocument(), given)
  const [contentType, media] = contentOf(reply) ?? []
  return (
    <section>
      <h3>Response {status}</h3>
      <Text of={reply.description} />
      {contentType === "application/json" && media?.schema !== undefined ? (
        <Body schema={media.schema} />
      ) : (
        <p className="bounds">{contentType}</p>
      )}
    </section>
  )
}

const Anchor = ({ id, title }: { readonly id: string; readonly title: string }) => (
  <a className="anchor" href={`#${id}`} aria-label={`Link to ${title}`}>
    #
  </a>
)

const Samples = ({ operation }: { readonly operation: DocumentedOperation }) => {
  const document = useDocument()
  const { access, client, summary } = operation
  const [status, given] = Object.entries(operation.responses).find(([each]) => !isFailure(each)) ?? []
  const [contentType, media] = given === undefined ? [] : (contentOf(replyOf(document, given)) ?? [])
  return (
    <div className="op-code">
      <Code code={curlSample(operation, access.credential)} label={`curl: ${summary}`} language="bash" />
      {client === undefined ? null : (
        <Code code={clientSample(operation, client)} label={`Client library: ${summary}`} language="ts" />
      )}
      {contentType === "application/json" && media?.example !== undefined ? (
        <Code code={JSON.stringify(media.example, null, 2)} label={`Response ${status}: ${summary}`} language="json" />
      ) : null}
    </div>
  )
}

/** An operation, with its samples beside it (DOCS-1). */
export const OperationSection = ({ operation }: { readonly operation: DocumentedOperation }) => {
  const { access, description, method, operationId: id, parameters, path, requestBody, responses, summary } = operation
  const [contentType, media] = Object.entries(requestBody?.content ?? {})[0] ?? []
  return (
    <section className="op" id={id} aria-labelledby={`${id}-title`}>
      <div className="op-text">
        <h2 id={`${id}-title`}>
          {summary} <Anchor id={id} title={summary} />
        </h2>
        <p className="route">
          <span className={`badge method ${method.toLowerCase()}`}>{method}</span> <code>{path}</code>
        </p>
        <Text of={description} />
        <p className="access">
          <span className="access-label">Access</span>
          {access.words.map((word) => (
            <span key={word} className="badge">
              {word}
            </span>
          ))}
        </p>
        <Inputs parameters={parameters} />
        {contentType === undefined ? null : (
          <section>
            <h3>Body{requestBody?.required === false ? " (optional)" : ""}</h3>
            <Text of={requestBody?.description} />
            {media?.schema === undefined || contentType !== "application/json" ? (
              <p className="bounds">{contentType}</p>
            ) : (
              <Body schema={media.schema} />
            )}
          </section>
        )}
        {Object.entries(responses)
          .filter(([status]) => !isFailure(status))
          .map(([status, reply]) => (
            <Result key={status} reply={reply} status={status} />
          ))}
        <Errors responses={responses} />
      </div>
      <Samples operation={operation} />
    </section>
  )
}

/** A webhook event: the request that the market sends to a subscription. */
export const EventSection = ({ event }: { readonly event: Operation }) => {
  const [, media] = Object.entries(event.requestBody?.content ?? {})[0] ?? []
  const name = event.summary
  return (
    <section className="op" id={name} aria-labelledby={`${name}-title`}>
      <div className="op-text">
        <h2 id={`${name}-title`}>
          <code>{name}</code> <Anchor id={name} title={name} />
        </h2>
        <Text of={event.description} />
        <h3>Body</h3>
        {media?.schema === undefined ? null : <Body schema={media.schema} />}
      </div>
      <div className="op-code">
        {media?.example === undefined ? null : (
          <Code code={JSON.stringify(media.example, null, 2)} label={`Body: ${name}`} language="json" />
        )}
      </div>
    </section>
  )
}

/** What is the same for every event: the headers of a delivery, and what a receiver's response means (DOCS-3). */
export const Deliveries = ({ event }: { readonly event: Operation }) => (
  <section className="op" id="headers" aria-labelledby="headers-title">
    <div className="op-text">
      <h2 id="headers-title">Headers and responses</h2>
      <p>Every delivery is a POST to the URL of the subscription, with these headers.</p>
      <Inputs parameters={event.parameters} />
      <h3>What the response means</h3>
      <dl className="errors">
        {/* JSON lists numbers first. */}
        {Object.entries(event.responses)
          .toSorted(([a], [b]) => (a < b ? -1 : 1))
          .map(([status, { description }]) => (
            <div key={status}>
              <dt>{status === "default" ? "other" : status}</dt>
              <dd>{description}</dd>
            </div>
          ))}
      </dl>
    </div>
    <div className="op-code" />
  </section>
)
