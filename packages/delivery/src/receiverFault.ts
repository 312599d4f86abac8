import { TargetRefused } from "./ReceiverAddressRules.ts"

const sentences: Readonly<Record<string, string>> = {
  ECONNREFUSED: "the connection was refused",
  ECONNRESET: "the connection was reset",
  EPIPE: "the connection was reset",
  ETIMEDOUT: "the connection could not be made in time",
  EHOSTUNREACH: "the host cannot be reached",
  ENETUNREACH: "the network cannot be reached",
  ENOTFOUND: "the name does not resolve",
  ENODATA: "the name has no address",
  ESERVFAIL: "the name servers failed",
  EREFUSED: "the name servers refused",
  ETIMEOUT: "the name servers did not respond",
  EAI_AGAIN: "the name servers did not respond",
  CERT_HAS_EXPIRED: "the certificate has expired",
  DEPTH_ZERO_SELF_SIGNED_CERT: "the certificate is not signed by a known authority",
  SELF_SIGNED_CERT_IN_CHAIN: "the certificate is not signed by a known authority",
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: "the certificate is not signed by a known authority",
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: "the certificate is not signed by a known authority",
  ERR_TLS_CERT_ALTNAME_INVALID: "the certificate is for another name",
  EPROTO: "the TLS handshake failed"
}

const codeOf = (error: unknown): string =>
  error instanceof AggregateError
    ? codeOf(error.errors[0])
    : error instanceof Error && "code" in error && typeof error.code === "string"
      ? error.code
      : ""

/** Why there was no response, as a sentence for the delivery log. It discloses nothing about the sender. */
export const receiverFault = (error: unknown): string => {
  if (error instanceof TargetRefused) return `the URL ${error.message}`
  const code = codeOf(error)
  return (
    sentences[code] ?? (code.startsWith("HPE_") ? "the response is not HTTP" : `the request failed (${code || "?"})`)
  )
}
