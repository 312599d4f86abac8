/**
 * The same response, with a callback that runs when its body was read to the end, cancelled or aborted. A body of known length is complete
 * already.
 */
export const untilRead = (response: Response, done: () => void): Response => {
  if (response.body === null || response.headers.has("content-length")) {
    done()
    return response
  }
  const reader = response.body.getReader()
  const body = new ReadableStream<Uint8Array>({
    pull: async (controller) => {
      try {
        const { done: isLast, value } = await reader.read()
        if (!isLast) return controller.enqueue(value)
        done()
        controller.close()
      } catch (error) {
        done()
        controller.error(error)
      }
    },
    cancel: (reason) => {
      done()
      return reader.cancel(reason)
    }
  })
  return new Response(body, response)
}
