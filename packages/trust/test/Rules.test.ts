import { expect, test } from "vitest"
import { digestOfRules } from "../corpus/digestOfRules.ts"
import type { Rule } from "../src/rules/Rule.ts"
import { rules } from "../src/rules/rules.ts"
import { rulesetDigest } from "../src/ruleset.ts"
import { scan } from "../src/scan.ts"

const encoder = new TextEncoder()

/** A release with one example of a rule: a named file, or the body of its main file. */
const release = (rule: Rule, text: string) => {
  const end = text.indexOf("\n")
  if (text.startsWith("file: ")) return [{ path: text.slice(6, end), bytes: encoder.encode(text.slice(end + 1)) }]
  const path = rule.kind === "soul" ? "SOUL.md" : "SKILL.md"
  return [{ path, bytes: encoder.encode(`---\nname: sample\ndescription: A sample.\n---\n\n# Sample\n\n${text}\n`) }]
}

const levelsOf = async (rule: Rule, text: string) => {
  const { findings } = await scan(release(rule, text), { kind: rule.kind ?? "skill" })
  return findings.filter((finding) => finding.rule === rule.id).map(({ level }) => level)
}

test.each(rules.flatMap((rule) => rule.positive.map((text) => ({ id: rule.id, rule, text }))))(
  "SCAN-4 $id finds: $text",
  async ({ rule, text }) => {
    expect(await levelsOf(rule, text)).not.toEqual([])
  }
)

test.each(rules.flatMap((rule) => rule.negative.map((text) => ({ id: rule.id, rule, text }))))(
  "SCAN-4 $id reports nothing above a notice: $text",
  async ({ rule, text }) => {
    expect((await levelsOf(rule, text)).filter((level) => level !== "notice")).toEqual([])
  }
)

test("SCAN-4 each rule has its own id, a reason, a message, examples and an entry of the OWASP list", () => {
  expect(new Set(rules.map(({ id }) => id)).size).toBe(rules.length)
  for (const { id, reason, message, owasp, positive, negative } of rules) {
    expect(id).toMatch(/^SKILL-[A-Z]+-\d{3}$/)
    expect(owasp).toMatch(/^AST(0[1-9]|10)$/)
    for (const text of [reason, message]) expect(text.length, id).toBeGreaterThan(20)
    expect(positive.length * negative.length, id).toBeGreaterThan(0)
  }
})

test("SCAN-9 a change of the rules needs a new version of the ruleset", () => {
  expect(digestOfRules()).toBe(rulesetDigest)
})
