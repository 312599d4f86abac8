import { Effect, Stream } from "effect"

/** The same bytes in chunks of exactly `size` bytes, except for the last one. */
export const chunksOfSize =
  (size: number) =>
  <E>(bytes: Stream.Stream<Uint8Array, E>): Stream.Stream<Uint8Array, E> =>
    Stream.suspend(() => {
      let filled = 0
      let chunk = new Uint8Array(size)
      const add = (given: Uint8Array): ReadonlyArray<Uint8Array> => {
        const full: Array<Uint8Array> = []
        for (let taken = 0; taken < given.length;) {
          const part = given.subarray(taken, taken + size - filled)
          chunk.set(part, filled)
          taken += part.length
          filled += part.length
          if (filled < size) continue
          full.push(chunk)
          chunk = new Uint8Array(size)
          filled = 0
        }
        return full
      }
      const rest = Effect.sync(() => (filled === 0 ? [] : [chunk.subarray(0, filled)]))
      return bytes.pipe(Stream.map(add), Stream.concat(Stream.fromEffect(rest)), Stream.flattenIterable)
    })
