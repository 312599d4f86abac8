import type { ManagedKey } from "./KmsSigner.ts"

/** A key of AWS KMS: its key spec is ECC_SECG_P256K1, its usage SIGN_VERIFY. Credentials come from where the AWS SDK looks for them. */
export interface AwsKeySettings {
  /** The id, ARN or alias of the key. */
  readonly keyId: string
  /** Undefined: that of the ARN, or the SDK's default. */
  readonly region: string | undefined
  /** The URL of another endpoint of the service. */
  readonly endpoint: string | undefined
}

/** In milliseconds. */
const [connectionTimeout, requestTimeout] = [3_000, 6_000]

const present = (bytes: Uint8Array | undefined): Uint8Array => {
  if (bytes === undefined) throw new Error("no bytes")
  return bytes
}

/** The SDK is loaded when the key is first used: `@aws-sdk/client-kms` is needed only here. */
export const awsKey = ({
  endpoint,
  keyId,
  region = /^arn:[^:]+:kms:([^:]+):/.exec(keyId)?.[1]
}: AwsKeySettings): ManagedKey => {
  const load = async () => {
    // A bundle has the exports of a CommonJS module only as the default export.
    const { default: kms } = await import("@aws-sdk/client-kms")
    const client = new kms.KMSClient({
      ...(region === undefined ? {} : { region }),
      ...(endpoint === undefined ? {} : { endpoint }),
      maxAttempts: 3,
      requestHandler: { connectionTimeout, requestTimeout, throwOnRequestTimeout: true }
    })
    return { kms, client }
  }
  let loaded: ReturnType<typeof load> | undefined
  return {
    name: "AWS KMS",
    publicKey: async (abortSignal) => {
      const { client, kms } = await (loaded ??= load())
      return present((await client.send(new kms.GetPublicKeyCommand({ KeyId: keyId }), { abortSignal })).PublicKey)
    },
    sign: async (Message, abortSignal) => {
      const { client, kms } = await (loaded ??= load())
      const command = new kms.SignCommand({
        KeyId: keyId,
        Message,
        MessageType: "DIGEST",
        SigningAlgorithm: "ECDSA_SHA_256"
      })
      return present((await client.send(command, { abortSignal })).Signature)
    }
  }
}
