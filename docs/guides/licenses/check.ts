import { verifyLicense } from "@agent-marketplace/client/verifyLicense"
import { readFile } from "node:fs/promises"

const [proof = "", keysFile = "", item, machine] = process.argv.slice(2)
const keys = JSON.parse(await readFile(keysFile, "utf8"))
const check = await verifyLicense(proof, keys, { item, machine })
console.log(check.valid ? "valid" : check.reason)
process.exitCode = check.valid ? 0 : 1
