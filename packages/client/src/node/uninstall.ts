import { InstallError } from "./InstallError.ts"
import { defaultInstallDir } from "./InstallOptions.ts"
import { commitRemoval, inStaging } from "./lock/commitInstall.ts"
import { installFolder } from "./lock/installFolder.ts"
import { readLockFile } from "./lock/LockFile.ts"
import { join } from "node:path"
import { differencesOf } from "./tree/differencesOf.ts"

/**
 * Removes an install's folder and its entry in the lock file, both or neither (INSTALL-18). Files that were changed or added by hand are kept
 * unless `force` is set: then it rejects with an `InstallError`. The license stays valid.
 */
export const uninstall = async (
  name: string,
  installDir: string = defaultInstallDir,
  { force = false }: { readonly force?: boolean } = {}
): Promise<void> => {
  const folder = await installFolder(installDir)
  if (!(await readLockFile(folder)).entries.has(name))
    throw new InstallError(`${JSON.stringify(name)} is not in the lock file`)
  await inStaging(folder, (staging) =>
    commitRemoval(folder, staging, name, async (entry) => {
      if (entry === undefined) throw new InstallError(`${JSON.stringify(name)} is not in the lock file`)
      const own = (await differencesOf(join(folder, name), entry)).filter(({ difference }) => difference !== "missing")
      const [first] = own
      if (first !== undefined && !force)
        throw new InstallError(`${first.path} is ${first.difference}: with --force it is removed too`)
    })
  )
}
