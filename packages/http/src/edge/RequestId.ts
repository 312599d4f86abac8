import { randomUUID } from "node:crypto"

const sane = /^[A-Za-z0-9._:-]{8,128}$/

/** The incoming `X-Request-Id` where it is 8 to 128 plain characters, else a new one. */
export const requestIdOf = (incoming: string | undefined): string =>
  incoming !== undefined && sane.test(incoming) ? incoming : randomUUID()
