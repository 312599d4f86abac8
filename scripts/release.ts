/**
 * `npm run release`: publishes the tarballs that `npm run check:packages -- --out release` has packed and checked, and creates a tag. Packages that the registry
 * already has are skipped, so an interrupted release can be run again.
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
  if (!existsSync(tarball)) throw new Error(`${tarball} is missing: run npm run check:packages -- --out release`)
  return tarball
}

if (globSync(".changeset/*.md", { cwd: repository }).length > 0)
  throw new Error("there are changesets without a version: run npm run version")

const waiting = publicPackages()
  .map(({ manifest: { name, version } }) => ({ name, version, tarball: tarballOf(name, version) }))
  .filter(({ name, version }) => !isPublished(name, version))

for (const { name, tarball, version } of waiting) {
  if (!run("npm", "publish", tarball, "--access", "public")) throw new Error(`${name} ${version} was not published`)
}
if (!run("changeset", "git-tag")) throw new Error("the versions are published, but tagging failed")
console.log(`${waiting.length} packages published`)
