import { HttpServerResponse } from "effect/http"

/** Sends JSON that a store keeps as text, unchanged. */
export const rawJson = (text: string, status = 200): HttpServerResponse.HttpServerResponse =>
  HttpServerResponse.text(text, { status, contentType: "application/json" })

/** The same as `data` of the general envelope (WIRE-7). */
export const rawData = (json: string): HttpServerResponse.HttpServerResponse =>
  rawJson(`{"success":true,"data":${json}}`)
