import { globSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import type { EmptyProject } from "./EmptyProject.ts"
import { entryPoints } from "./lintTarball.ts"
import type { Packed } from "./packAll.ts"
import { repository } from "./publicPackages.ts"

/** A program that uses the types of every module of every package. */
const everyModule = (packages: ReadonlyArray<Packed>): string => {
  const names = packages.flatMap((packed) => entryPoints(packed).map((entry) => packed.name + entry.slice(1)))
  const imports = names.map((name, i) => `import type * as module${i} from ${JSON.stringify(name)}`)
  const used = names.map((_, i) => `keyof typeof module${i}`)
  return `${imports.join("\n")}\nexport type Modules = [${used.join(", ")}]\n`
}

/** Type checks the examples of docs and every module of the packages with every strict option, including declarations. */
export const typeCheck = async (packages: ReadonlyArray<Packed>, { folder, run }: EmptyProject): Promise<string> => {
  const { compilerOptions } = JSON.parse(readFileSync(join(repository, "tsconfig.base.json"), "utf8")) as {
    readonly compilerOptions: Record<string, unknown>
  }
  const { composite: _, outDir: __, plugins: ___, rootDir: ____, ...strict } = compilerOptions
  const options = {
    ...strict,
    noEmit: true,
    incremental: false,
    declarationMap: false,
    types: ["node"],
    skipLibCheck: false
  }
  writeFileSync(join(folder, "everyModule.ts"), everyModule(packages))
  const include = ["everyModule.ts", "embedding/*.ts", "receivers/*.ts"]
  writeFileSync(join(folder, "tsconfig.json"), JSON.stringify({ compilerOptions: options, include }))
  await run(process.execPath, ["node_modules/.bin/tsc", "-p", "tsconfig.json"], { timeout: 120_000 })
  return `${globSync("{embedding,receivers}/*.ts", { cwd: folder }).length} examples and ${packages.flatMap(entryPoints).length} modules`
}
