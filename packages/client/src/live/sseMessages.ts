/** A block of server-sent events. A block without data only moves the cursor, or is a comment. */
export interface SseMessage {
  readonly id: string | undefined
  readonly event: string
  readonly data: string | undefined
}

const parsed = (block: string): SseMessage => {
  let id: string | undefined
  let event = "message"
  let data: string | undefined
  for (const line of block.split("\n")) {
    const [, name = "", value = ""] = /^([^:]*):? ?(.*)$/.exec(line) ?? []
    if (name === "id") id = value
    else if (name === "event") event = value
    else if (name === "data") data = data === undefined ? value : `${data}\n${value}`
  }
  return { id, event, data }
}

/** The chunk, or a rejection after `quiet` milliseconds: a connection that broke without notice is silent. */
const readWithin = async <T>(reading: Promise<T>, quiet: number): Promise<T> => {
  let timer: ReturnType<typeof setTimeout> | undefined
  const silence = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error("the stream is silent")), quiet)
  })
  try {
    return await Promise.race([reading, silence])
  } finally {
    clearTimeout(timer)
  }
}

/** The blocks of a response as they arrive. Ends when the response ends or the signal aborts; rejects if the connection breaks. */
export const sseMessages = async function* (
  body: ReadableStream<Uint8Array>,
  quiet: number,
  signal: AbortSignal | undefined
): AsyncGenerator<SseMessage, void, undefined> {
  const reader = body.getReader()
  const decoder = new TextDecoder()
  const isOver = (): boolean => signal?.aborted === true
  const cancel = () => void reader.cancel().catch(() => undefined)
  signal?.addEventListener("abort", cancel)
  let text = ""
  try {
    while (!isOver()) {
      const { done, value } = await readWithin(reader.read(), quiet)
      if (done) return
      text = (text + decoder.decode(value, { stream: true })).replace(/\r\n/g, "\n")
      for (let end = text.indexOf("\n\n"); end !== -1; end = text.indexOf("\n\n")) {
        const block = text.slice(0, end)
        text = text.slice(end + 2)
        yield parsed(block)
      }
    }
  } finally {
    signal?.removeEventListener("abort", cancel)
    cancel()
  }
}
