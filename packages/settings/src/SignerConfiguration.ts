import type { Redacted } from "effect"
import { Redacted as Secret, Result } from "effect"
import { createPrivateKey, X509Certificate } from "node:crypto"
import { readFileSync } from "node:fs"

type Read<A> = (value: string) => Result.Result<A, string>

export type Optional = <A>(name: string, read: Read<A>) => A | undefined

/** A signing server, and the certificates of both sides as PEM (SIGNER-1). */
interface RemoteSignerConfiguration {
  readonly url: string
  readonly certificate: string
  readonly key: Redacted.Redacted
  readonly authority: string
}

/** What signs payouts. Everything is undefined in a process that pays none. */
export interface SignerConfiguration {
  readonly hotWalletKey: Redacted.Redacted | undefined
  readonly remoteSigner: RemoteSignerConfiguration | undefined
  readonly managedKey:
    { readonly keyId: string; readonly region: string | undefined; readonly endpoint: string | undefined } | undefined
  /** The address of the first key, if it is not the paying wallet's own. */
  readonly signerAddress: string | undefined
  readonly secondSigner: (RemoteSignerConfiguration & { readonly address: string }) | undefined
  readonly permission: number
}

/** The messages about files contain neither the path's content nor the system's message. */
const file: Read<string> = (path) =>
  Result.try({ try: () => readFileSync(path, "utf8"), catch: () => "must be the path of a file that can be read" })

const certificate = (pem: string) =>
  Result.try({
    try: () => {
      void new X509Certificate(pem)
      return pem
    },
    catch: () => "a certificate (PEM)"
  })

const privatePem = (pem: string) =>
  Result.try({
    try: () => {
      createPrivateKey(pem)
      return Secret.make(pem)
    },
    catch: () => "a private key (PEM) without a passphrase"
  })

/** How certificates and their keys are given. */
interface Pems {
  readonly certificate: Read<string>
  readonly key: Read<Redacted.Redacted>
}

const inFile =
  <A>(parse: (pem: string) => Result.Result<A, string>): Read<A> =>
  (path) =>
    Result.flatMap(file(path), (pem) => Result.mapError(parse(pem), (rule) => `must be the path of ${rule}`))

const asText =
  <A>(parse: (pem: string) => Result.Result<A, string>): Read<A> =>
  (pem) =>
    Result.mapError(parse(pem), (rule) => `must be ${rule}`)

/** In environment variables: as paths of files. */
export const pemFiles: Pems = { certificate: inFile(certificate), key: inFile(privatePem) }

/** In options of a program: as they are. */
export const pemTexts: Pems = { certificate: asText(certificate), key: asText(privatePem) }

export const httpsBase: Read<string> = (value) => {
  const rule = "must be a URL that starts with https:// and names no user and no query"
  if (!URL.canParse(value)) return Result.fail(rule)
  const { hash, password, protocol, search, username } = new URL(value)
  return protocol === "https:" && `${username}${password}${search}${hash}` === ""
    ? Result.succeed(value.replace(/\/+$/, ""))
    : Result.fail(rule)
}

const keyId: Read<string> = (value) =>
  /^[\w:/-]{1,2048}$/.test(value) ? Result.succeed(value) : Result.fail("must be the id, ARN or alias of a key")

const region: Read<string> = (value) =>
  /^[a-z]{2}(?:-[a-z]+)+-\d+$/.test(value)
    ? Result.succeed(value)
    : Result.fail("must be a region such as eu-central-1")

const endpoint: Read<string> = (value) =>
  URL.canParse(value) && /^https?:$/.test(new URL(value).protocol)
    ? Result.succeed(value)
    : Result.fail("must be a URL that starts with http:// or https://")

const permissionId: Read<number> = (value) =>
  /^[2-9]$/.test(value) ? Result.succeed(Number(value)) : Result.fail("must be the id of an active permission, 2 to 9")

const isPair = (pem: string, key: Redacted.Redacted): boolean =>
  new X509Certificate(pem).checkPrivateKey(createPrivateKey(Secret.value(key)))

/** All four variables, or none of them. */
const readRemote = (optional: Optional, fault: (sentence: string) => void, prefix: string, pems: Pems) => {
  const seen = new Set<string>()
  const part = <A>(suffix: string, read: Read<A>): A | undefined =>
    optional(`${prefix}_${suffix}`, (value) => {
      seen.add(suffix)
      return read(value)
    })
  const url = part("URL", httpsBase)
  const cert = part("CERT", pems.certificate)
  const key = part("KEY", pems.key)
  const authority = part("CA", pems.certificate)
  const missing = ["URL", "CERT", "KEY", "CA"].filter((suffix) => !seen.has(suffix))
  if (seen.size > 0) {
    const [given = ""] = seen
    for (const suffix of missing) fault(`${prefix}_${suffix} must be set with ${prefix}_${given}`)
  }
  if (cert !== undefined && key !== undefined && !isPair(cert, key)) {
    fault(`${prefix}_KEY must be the private key of the certificate ${prefix}_CERT`)
    return { isSet: true, remote: undefined }
  }
  const complete = url !== undefined && cert !== undefined && key !== undefined && authority !== undefined
  return { isSet: seen.size > 0, remote: complete ? { url, certificate: cert, key, authority } : undefined }
}

/** `TRON_KMS_KEY_ID`, with the region and the endpoint of the service. */
export const readManagedKey = (optional: Optional, fault: (sentence: string) => void) => {
  let isSet = false
  const id = optional("TRON_KMS_KEY_ID", (value) => {
    isSet = true
    return keyId(value)
  })
  const parts = { region: optional("TRON_KMS_REGION", region), endpoint: optional("TRON_KMS_ENDPOINT", endpoint) }
  if (!isSet && (parts.region !== undefined || parts.endpoint !== undefined))
    fault("TRON_KMS_KEY_ID must be set with TRON_KMS_REGION or TRON_KMS_ENDPOINT")
  return { isSet, managedKey: id === undefined ? undefined : { keyId: id, ...parts } }
}

/**
 * Reads what signs payouts: `TRON_HOT_WALLET_KEY`, a signing server or a managed key, and perhaps a second signer (SIGNER-1). `hotWallet` is the paying
 * wallet's address, which every signer but the key alone requires, since it must be known while the signer is unavailable.
 */
export const readSigners = (
  optional: Optional,
  fault: (sentence: string) => void,
  {
    address,
    hotWallet,
    pems = pemFiles,
    privateKey
  }: {
    readonly address: Read<string>
    readonly hotWallet: string | undefined
    readonly pems?: Pems | undefined
    readonly privateKey: Read<Redacted.Redacted>
  }
): SignerConfiguration => {
  let keyIsSet = false
  const hotWalletKey = optional("TRON_HOT_WALLET_KEY", (value) => {
    keyIsSet = true
    return privateKey(value)
  })
  const first = readRemote(optional, fault, "TRON_SIGNER", pems)
  const kms = readManagedKey(optional, fault)
  const second = readRemote(optional, fault, "TRON_SECOND_SIGNER", pems)
  const signerAddress = optional("TRON_SIGNER_ADDRESS", address)
  const secondAddress = optional("TRON_SECOND_SIGNER_ADDRESS", address)
  const permission = optional("TRON_PERMISSION_ID", permissionId)
  const firsts = [
    ...(keyIsSet ? ["TRON_HOT_WALLET_KEY"] : []),
    ...(first.isSet ? ["TRON_SIGNER_URL"] : []),
    ...(kms.isSet ? ["TRON_KMS_KEY_ID"] : [])
  ]
  if (firsts.length > 1) fault(`${firsts.join(" and ")} must not be set together`)
  const needing = [
    ...firsts.filter((name) => name !== "TRON_HOT_WALLET_KEY"),
    ...(second.isSet ? ["TRON_SECOND_SIGNER_URL"] : [])
  ]
  if (hotWallet === undefined && needing[0] !== undefined)
    fault(`TRON_HOT_WALLET_ADDRESS must be set with ${needing[0]}`)
  if (second.isSet && firsts.length === 0)
    fault("TRON_SECOND_SIGNER_URL must be set with TRON_SIGNER_URL, TRON_KMS_KEY_ID or TRON_HOT_WALLET_KEY")
  if (second.isSet && secondAddress === undefined)
    fault("TRON_SECOND_SIGNER_ADDRESS must be set with TRON_SECOND_SIGNER_URL")
  if (!second.isSet)
    for (const [name, value] of Object.entries({
      TRON_SECOND_SIGNER_ADDRESS: secondAddress,
      TRON_PERMISSION_ID: permission,
      TRON_SIGNER_ADDRESS: signerAddress
    }))
      if (value !== undefined) fault(`${name} must be set only with TRON_SECOND_SIGNER_URL`)
  if (secondAddress !== undefined && secondAddress === (signerAddress ?? hotWallet))
    fault("TRON_SECOND_SIGNER_ADDRESS must be another address than that of the first signer")
  return {
    hotWalletKey,
    remoteSigner: first.remote,
    managedKey: kms.managedKey,
    signerAddress,
    secondSigner:
      second.remote === undefined || secondAddress === undefined
        ? undefined
        : { ...second.remote, address: secondAddress },
    permission: permission ?? 2
  }
}

/** A process that pays nothing never reads a key. */
export const noSigners: SignerConfiguration = {
  hotWalletKey: undefined,
  remoteSigner: undefined,
  managedKey: undefined,
  signerAddress: undefined,
  secondSigner: undefined,
  permission: 2
}
