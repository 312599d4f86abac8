/**
 * `npm run release`: publishes what `npm run check:packages -- --out release` has packed and found right, and tags it. What the registry has
 * already is left alone, so that a release that broke off can be run again.
 */
import { spawnSync } from "node:child_process"
import { existsSync, globSync } from "node:fs"
import { join } from "node:path"
import { publicPackages, repository } from "./packages/publicPackages.ts"

const run = (command: string, ...args: ReadonlyArray<string>): boolean =>
  spawnSync(command, args, { cwd: repository, stdio: "inherit" }).status === 0

const isPublished = (name: string, version: string): boolean =>
  spawnSync("npm", ["view", `${name}@${version}`, "version"], { encoding: "utf8" }).stdout.trim() === version

const tarballOf = (name: string, version: string): string => {
  const tarball = join(repository, "release", `${name.replace("@", "").replace("/", "-")}-${version}.tgz`)
  if (!existsSync(tarball)) throw new Error(`${tarball} is missing: npm run check:packages -- --out release`)
  return tarball
}

if (globSync(".changeset/*.md", { cwd: repository }).length > 0)
  throw new Error("there are changesets that no version has yet: npm run version")

const waiting = publicPackages()
  .map(({ manifest: { name, version } }) => ({ name, version, tarball: tarballOf(name, version) }))
  .filter(({ name, version }) => !isPublished(name, version))

for (const { name, tarball, version } of waiting) {
  if (!run("npm", "publish", tarball, "--access", "public")) throw new Error(`${name} ${version} was not published`)
}
if (!run("changeset", "git-tag")) throw new Error("the versions are published, and not tagged")
console.log(`${waiting.length} packages published`)
