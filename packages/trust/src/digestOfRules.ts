import { createHash } from "node:crypto"
import { fileRules } from "./checks/fileChecks.ts"
import { hiddenRules } from "./checks/hiddenText.ts"
import { rules } from "./rules/rules.ts"
import { words } from "./signals/concepts.ts"
import { hostLists } from "./signals/hosts.ts"

/** SHA-256 of all that is data: rules, words and lists of hosts (SCAN-9). */
export const digestOfRules = (): string =>
  createHash("sha256")
    .update(
      JSON.stringify({
        rules,
        words,
        hosts: Object.entries(hostLists).map(([name, list]) => [name, ...list]),
        fileRules,
        hiddenRules
      })
    )
    .digest("hex")
