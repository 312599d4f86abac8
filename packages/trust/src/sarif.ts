import { fileRules } from "./checks/fileChecks.ts"
import { hiddenRules } from "./checks/hiddenText.ts"
import { rules } from "./rules/rules.ts"
import { weighedRule } from "./rules/weigh.ts"
import type { Finding, Level, Verdict } from "./Verdict.ts"

const sarifLevels: Readonly<Record<Level, "none" | "note" | "warning" | "error">> = {
  clean: "none",
  notice: "note",
  warn: "warning",
  block: "error"
}

const descriptions = new Map<string, string>([
  ...[...rules, weighedRule].map(({ id, reason }) => [id, reason] as const),
  ...[...Object.values(fileRules), ...Object.values(hiddenRules)].map(({ id, message }) => [id, message] as const)
])

const describe = ({ rule, message, family, owasp }: Finding) => ({
  id: rule,
  shortDescription: { text: descriptions.get(rule) ?? message },
  properties: { family, owasp, tags: ["security", family, owasp] }
})

/** A verdict as SARIF 2.1.0, which code hosts show beside the lines (SCAN-16). */
export const toSarif = (verdict: Verdict) => {
  const described = new Map(verdict.findings.map((finding) => [finding.rule, describe(finding)]))
  const ids = [...described.keys()]
  return {
    $schema: "https://json.schemastore.org/sarif-2.1.0.json",
    version: "2.1.0",
    runs: [
      {
        tool: {
          driver: {
            name: "agent-marketplace-trust",
            version: verdict.ruleset,
            informationUri: "https://www.npmjs.com/package/@agent-marketplace/trust",
            rules: [...described.values()]
          }
        },
        results: verdict.findings.map((finding) => ({
          ruleId: finding.rule,
          ruleIndex: ids.indexOf(finding.rule),
          level: sarifLevels[finding.level],
          message: { text: finding.message },
          locations: [
            {
              physicalLocation: {
                artifactLocation: { uri: finding.file.split("/").map(encodeURIComponent).join("/") },
                ...(finding.line > 0
                  ? { region: { startLine: finding.line, snippet: { text: finding.evidence } } }
                  : {})
              }
            }
          ],
          properties: { level: finding.level, family: finding.family, owasp: finding.owasp }
        })),
        properties: { level: verdict.level, ruleset: verdict.ruleset }
      }
    ]
  }
}
