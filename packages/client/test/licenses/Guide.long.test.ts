import { spawnSync } from "node:child_process"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { signedProof, testKey } from "../signing/signer.ts"

const programOf = (name: string): string =>
  fileURLToPath(new URL(`../../../../docs/guides/licenses/${name}`, import.meta.url))

const scratch = mkdtempSync(join(tmpdir(), "licenses-"))
afterAll(() => rmSync(scratch, { recursive: true }))

const builtGo = (): string => {
  const binary = join(scratch, "check")
  const { status, stderr } = spawnSync("go", ["build", "-o", binary, programOf("check.go")], {
    env: { HOME: process.env["HOME"], PATH: process.env["PATH"], GOCACHE: join(scratch, "cache"), GOFLAGS: "-mod=mod" },
    encoding: "utf8"
  })
  assert.strictEqual(status, 0, stderr)
  return binary
}

/** Why a program cannot run here: the command that it needs, and what that said; undefined if it can. */
const missing = (command: string, ...args: ReadonlyArray<string>): string | undefined => {
  const { error, status, stderr } = spawnSync(command, args, { encoding: "utf8" })
  if (status === 0) return undefined
  const said = error?.message ?? stderr.trim().split("\n").at(-1) ?? ""
  return `\`${[command, ...args].join(" ")}\` failed: ${said}`
}

interface Language {
  readonly name: string
  /** Undefined if its language and packages are installed. */
  readonly missing: string | undefined
  /** The program and its first arguments. */
  readonly command: () => ReadonlyArray<string>
}

const languages: ReadonlyArray<Language> = [
  { name: "check.ts", missing: undefined, command: () => [process.execPath, programOf("check.ts")] },
  {
    name: "check.py",
    missing: missing("python3", "-c", "import cryptography"),
    command: () => ["python3", programOf("check.py")]
  },
  { name: "check.go", missing: missing("go", "version"), command: () => [builtGo()] }
]

const key = testKey("current")
const past = testKey("past", "2020-01-01T00:00:00.000Z")
const keysFile = join(scratch, "keys.json")
const seconds = Math.floor(Date.now() / 1000)

const license = {
  iss: "https://market.example.com",
  sub: "pur_1",
  item: "lst_1",
  version: null,
  type: "perpetual",
  holder: "ab".repeat(32),
  iat: seconds - 60,
  exp: seconds + 3600,
  key: "cd".repeat(32),
  machine: "laptop"
}

const proof = signedProof(key, license)
const forged = signedProof({ ...testKey("current"), kid: "current" }, license)

const refused: ReadonlyArray<readonly [reason: string, proof: string, item: string, machine: string | undefined]> = [
  ["malformed", "not a proof", "lst_1", undefined],
  ["malformed", `${proof}=`, "lst_1", undefined],
  ["malformed", proof.slice(0, -1), "lst_1", undefined],
  ["malformed", signedProof(key, license, { alg: "none" }), "lst_1", undefined],
  ["unknown_key", signedProof(testKey("unknown"), license), "lst_1", undefined],
  ["bad_signature", forged, "lst_1", undefined],
  ["retired_key", signedProof(past, license), "lst_1", undefined],
  ["other_item", proof, "lst_2", undefined],
  ["other_machine", proof, "lst_1", "desktop"],
  ["expired", signedProof(key, { ...license, exp: seconds - 1 }), "lst_1", undefined],
  ["not_yet_valid", signedProof(key, { ...license, iat: seconds + 600 }), "lst_1", undefined]
]

describe.each(languages)("the program $name of the guide (PROOF-5)", ({ command, missing: reason, name }) => {
  if (reason !== undefined) {
    process.stderr.write(`docs/guides/licenses/${name} is not tested: ${reason}\n`)
    it("runs here", (context) => context.skip(reason))
    return
  }

  let start: ReadonlyArray<string>
  beforeAll(() => {
    start = command()
    writeFileSync(keysFile, JSON.stringify({ keys: [key, past].map(({ privateKey: _, ...publicKey }) => publicKey) }))
  }, 60_000)

  const run = (...args: ReadonlyArray<string>) => {
    const [program = "", ...first] = start
    const { status, stderr, stdout } = spawnSync(program, [...first, ...args], { encoding: "utf8" })
    return { status, said: stdout.trim(), stderr }
  }

  it("accepts a proof for the item, and for the machine", () => {
    for (const machine of [[], ["laptop"]]) {
      const { said, status, stderr } = run(proof, keysFile, "lst_1", ...machine)
      assert.deepStrictEqual([status, said], [0, "valid"], stderr)
    }
  })

  it.each(refused)("says %s and exits with 1", (reason, given, item, machine) => {
    const { said, status, stderr } = run(given, keysFile, item, ...(machine === undefined ? [] : [machine]))
    assert.deepStrictEqual([status, said], [1, reason], stderr)
  })
})
