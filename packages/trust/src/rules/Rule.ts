import type { Family, Level } from "../Verdict.ts"

/** A rule as data: which concepts together mean what (SCAN-4). */
export interface Rule {
  readonly id: string
  readonly family: Family
  readonly level: Exclude<Level, "clean">
  readonly owasp: string
  /** Why the rule exists. */
  readonly reason: string
  /** What the creator reads: what is wrong and what to change. */
  readonly message: string
  /** Groups of concepts, alternatives separated by `|`: one of each group must occur. The finding stands where the first group occurs. */
  readonly all: ReadonlyArray<string>
  /** Concepts that silence the rule where they occur in the same statement. */
  readonly none?: string
  /** `statement` (default): in one statement. `nearby`: in it, the one before or the two after. `file`: anywhere in the file. `release`: anywhere in its scripts. */
  readonly scope?: "statement" | "nearby" | "file" | "release"
  /** In a statement: the greatest distance in characters from the first to the last concept; 220 by default. */
  readonly span?: number
  /** The groups must start in this order. */
  readonly ordered?: boolean
  /** `text`: what an agent reads as words. `code`: code, and commands in prose. `script`: scripts and blocks of code only. */
  readonly in?: "text" | "code" | "script" | "hidden" | "any"
  /** Only in releases of this kind. */
  readonly kind?: "skill" | "soul"
  /** A negation is part of the phrase itself ("do not tell"), so a preceding one does not silence the rule. */
  readonly negated?: boolean
  /** Subjects (`topic…` concepts) of the name or description that lower the level to `notice`. */
  readonly topic?: string
  /** Texts in which the rule must find something. A text that starts with `file: path` is that file, otherwise it is the body of SKILL.md. */
  readonly positive: ReadonlyArray<string>
  /** Texts in which it must find nothing. */
  readonly negative: ReadonlyArray<string>
}
