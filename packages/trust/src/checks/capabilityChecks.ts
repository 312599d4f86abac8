import type { Capabilities } from "../capabilities.ts"
import { hostKind } from "../signals/hosts.ts"
import type { Finding } from "../Verdict.ts"

const covers = (declared: ReadonlyArray<string>, host: string): boolean =>
  declared.some((entry) => entry === "*" || entry === host || (entry.startsWith("*.") && host.endsWith(entry.slice(1))))

const finding = (rule: string, level: "notice" | "warn", file: string, evidence: string, message: string): Finding => ({
  rule,
  level,
  family: "capabilities",
  file,
  line: 0,
  evidence,
  message,
  owasp: "AST03"
})

/** Tools that `allowed-tools` must contain before code may be run. */
const runsCommands = (tools: ReadonlyArray<string>): boolean =>
  tools.some(
    (tool) =>
      tool.startsWith("Bash") ||
      tool.startsWith("Shell") ||
      tool === "*" ||
      tool.toLowerCase().includes("exec") ||
      tool.toLowerCase().includes("terminal") ||
      tool.toLowerCase().includes("run")
  )

/** Findings about capabilities that are used but not declared (SCAN-11). A release that declares nothing has no such findings. */
export const capabilityChecks = ({ declared, used }: Capabilities, file: string): ReadonlyArray<Finding> => {
  const findings: Array<Finding> = []
  if (declared.hosts.length > 0) {
    const extra = used.hosts.filter((host) => !covers(declared.hosts, host))
    const unknown = extra.filter((host) => !["known", "installer"].includes(hostKind(host, "")))
    if (extra.length > 0)
      findings.push(
        finding(
          "SKILL-CAP-001",
          unknown.length > 0 ? "warn" : "notice",
          file,
          extra.join(", "),
          "Uses hosts that it does not declare. Add them to the declared hosts, or remove them."
        )
      )
  }
  if (declared.tools.length > 0 && !runsCommands(declared.tools) && used.commands.length > 0)
    findings.push(
      finding(
        "SKILL-CAP-002",
        "notice",
        file,
        used.commands.join(", "),
        "Runs commands and does not list a tool for that in `allowed-tools`. Add it."
      )
    )
  if (declared.tools.some((tool) => tool === "*" || tool === "Bash(*)" || tool === "Bash(*:*)"))
    findings.push(
      finding(
        "SKILL-CAP-003",
        "notice",
        file,
        declared.tools.join(", "),
        "Asks for every tool or every command. List those that it needs."
      )
    )
  if (declared.environment.length > 0) {
    const extra = used.environment.filter(
      (name) => !declared.environment.includes(name) && !common.has(name) && isSecretName(name)
    )
    if (extra.length > 0)
      findings.push(
        finding(
          "SKILL-CAP-004",
          "notice",
          file,
          extra.join(", "),
          "Reads environment variables that it does not declare. Add them, or remove them."
        )
      )
  }
  return findings
}

const common = new Set(["HOME", "PATH", "USER", "PWD", "SHELL", "TMPDIR", "LANG", "EDITOR"])
const isSecretName = (name: string) =>
  name.includes("KEY") || name.includes("TOKEN") || name.includes("SECRET") || name.includes("PASS")
