import type { Advisory } from "../../wire/Endpoints.ts"
import { auditCopies } from "../audit/auditCopies.ts"
import { InstallError } from "../InstallError.ts"
import type { LockEntry } from "../lock/LockEntry.ts"
import { quoted } from "../tree/quoted.ts"

/** Rejects if the market asks to remove the copy that would be installed (INSTALL-15). */
export const refuseRevoked = (
  advisories: ReadonlyArray<Advisory>,
  { id, release, version }: Pick<LockEntry, "id" | "release" | "version">
): void => {
  const sha256 = release?.archive ?? /^sha256:([0-9a-f]{64})$/.exec(version)?.[1] ?? null
  const [copy] = auditCopies([{ itemId: id, version, sha256, path: "" }], advisories)
  const removal = copy?.advisories.find(({ action }) => action === "remove")
  if (removal !== undefined) throw new InstallError(`the market revoked it (${removal.id}): ${quoted(removal.reason)}`)
}
