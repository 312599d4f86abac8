/** Checks the dependency rules, circular imports, file names and the code that core must not contain. Prints `file:line: problem` for each problem and exits 1. */
import { existsSync, globSync, readFileSync } from "node:fs"
import { builtinModules } from "node:module"
import { dirname, join, relative } from "node:path"
import { effectOutsideCore, forbiddenInCore, rules } from "./DependencyRules.ts"
import type { Rule } from "./DependencyRules.ts"
import { circlesOf } from "./FileCircles.ts"
import { codeOnly, importsOf, lineAt } from "./SourceText.ts"

interface Manifest {
  readonly dependencies?: Readonly<Record<string, string>>
  readonly devDependencies?: Readonly<Record<string, string>>
  readonly peerDependencies?: Readonly<Record<string, string>>
}

interface Module {
  readonly path: string
  readonly folder: string
  readonly name: string
  readonly isTest: boolean
  readonly rule: Rule
  readonly declared: ReadonlySet<string>
}

const scope = "@agent-marketplace/"
const root = join(import.meta.dirname, "..")
const problems: Array<string> = []

const manifest = (folder: string): Manifest => JSON.parse(readFileSync(join(root, folder, "package.json"), "utf8"))

const rootTools = Object.keys(manifest(".").devDependencies ?? {})

const moduleAt = (path: string): Module | undefined => {
  const [group = "", name = "", part = ""] = path.split("/")
  const rule = rules[name]
  if (rule === undefined) {
    problems.push(`${path}: scripts/DependencyRules.ts has no rule for "${name}"`)
    return undefined
  }
  const folder = `${group}/${name}`
  const isTest = part === "test"
  // Bundled packages are development dependencies.
  const { dependencies, devDependencies, peerDependencies } = manifest(folder)
  const names = Object.keys({ ...dependencies, ...devDependencies, ...peerDependencies })
  const declared = new Set([...names, ...(isTest ? rootTools : [])])
  return { path, folder, name, isTest, rule, declared }
}

const packageOf = (specifier: string): string =>
  specifier
    .split("/")
    .slice(0, specifier.startsWith("@") ? 2 : 1)
    .join("/")

const relativeProblem = (module: Module, specifier: string): string | undefined => {
  const target = relative(root, join(root, dirname(module.path), specifier))
  if (!/\.(?:ts|json)$/.test(specifier)) return `"${specifier}" must end in .ts`
  if (!target.startsWith(`${module.folder}/`)) return `"${specifier}" leaves the package: import it by name`
  if (!module.isTest && target.startsWith(`${module.folder}/test/`)) return `"${specifier}" is test code`
  return existsSync(join(root, target)) ? undefined : `"${specifier}" does not exist`
}

const isBundled = ({ path, rule: { bundled } }: Module, target: string, isBuiltin: boolean): boolean =>
  bundled !== undefined && path.startsWith(bundled.folder) && (isBuiltin || bundled.packages.includes(target))

const internalProblem = (module: Module, specifier: string): string | undefined => {
  const target = packageOf(specifier).slice(scope.length)
  const isBundledPackage = isBundled(module, packageOf(specifier), false)
  const allowed = [
    ...module.rule.source,
    ...(module.isTest ? module.rule.test : []),
    ...(isBundledPackage ? [target] : [])
  ]
  if (target === module.name) {
    return module.isTest ? undefined : `"${specifier}" is this package: import it by a relative path`
  }
  if (!allowed.includes(target)) return `${module.name}${module.isTest ? " (test)" : ""} must not import ${target}`
  if (!module.isTest && !module.declared.has(packageOf(specifier)))
    return `package.json does not declare ${scope}${target}`
  return undefined
}

const foreignProblem = (module: Module, specifier: string): string | undefined => {
  const target = packageOf(specifier)
  const isBuiltin = specifier.startsWith("node:") || builtinModules.includes(target)
  if (isBuiltin && !specifier.startsWith("node:")) return `write "node:${specifier}"`
  if (module.isTest)
    return isBuiltin || module.declared.has(target) ? undefined : `package.json does not declare ${target}`
  if (isBundled(module, target, isBuiltin)) return undefined
  if (module.name === "core" && effectOutsideCore.test(specifier)) return `core must not import "${specifier}"`
  if (isBuiltin)
    return ["core", "api", "memory", "client"].includes(module.name)
      ? `${module.name} must not import "${specifier}"`
      : undefined
  if (module.rule.foreign !== undefined && !module.rule.foreign.includes(target)) {
    return `${module.name} must not import "${specifier}"`
  }
  return module.declared.has(target) ? undefined : `package.json does not declare ${target}`
}

const importProblem = (module: Module, specifier: string): string | undefined =>
  specifier.startsWith(".")
    ? relativeProblem(module, specifier)
    : specifier.startsWith(scope)
      ? internalProblem(module, specifier)
      : foreignProblem(module, specifier)

const checkName = ({ path }: Module) => {
  if (path.endsWith("/index.ts")) problems.push(`${path}: no barrel files: name the file after its export`)
  if (/\/(?:utils?|helpers?)(?:\/|\.)/i.test(path))
    problems.push(`${path}: name the content instead of "utils" or "helpers"`)
}

const checkForbidden = (module: Module, source: string) => {
  if (module.name !== "core" || module.isTest) return
  const code = codeOnly(source)
  for (const [word, pattern] of forbiddenInCore) {
    for (const match of code.matchAll(pattern)) {
      problems.push(`${module.path}:${lineAt(code, match.index)}: no ${word} in core (AGENTS.md, rule 3)`)
    }
  }
}

const imports = new Map<string, Array<string>>()

const files = globSync("{packages,apps}/*/{src,test}/**/*.ts", { cwd: root })
for (const path of files.toSorted()) {
  const module = moduleAt(path)
  if (module === undefined) continue
  const source = readFileSync(join(root, path), "utf8")
  checkName(module)
  checkForbidden(module, source)
  const imported: Array<string> = []
  imports.set(path, imported)
  for (const { line, specifier } of importsOf(source)) {
    if (specifier.startsWith(".")) imported.push(relative(root, join(root, dirname(path), specifier)))
    const problem = importProblem(module, specifier)
    if (problem !== undefined) problems.push(`${path}:${line}: ${problem}`)
  }
}

for (const circle of circlesOf(imports)) problems.push(`${circle[0]}: circular import: ${circle.join(" → ")}`)

for (const problem of problems) console.error(problem)
console.log(`${files.length} files, ${problems.length} problems`)
process.exitCode = problems.length === 0 ? 0 : 1
