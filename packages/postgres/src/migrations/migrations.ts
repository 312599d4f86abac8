import { foundation } from "./0001_foundation.ts"
import { identity } from "./0002_identity.ts"
import { catalogue } from "./0003_catalogue.ts"
import { money } from "./0004_money.ts"
import { webhooks } from "./0005_webhooks.ts"
import { withdrawalTransactions } from "./0006_withdrawal_transactions.ts"
import { sweeps } from "./0007_sweeps.ts"
import { searchOfSeveralWords } from "./0008_search_of_several_words.ts"
import { spentWindows } from "./0009_spent_windows.ts"
import { lifetimeOfKeys } from "./0010_lifetime_of_keys.ts"
import { standardNames } from "./0011_standard_names.ts"
import { escrowAndFreezes } from "./0012_escrow_and_freezes.ts"
import { controlOfAccounts } from "./0013_control_of_accounts.ts"
import { catalogueAndWebhooks } from "./0014_catalogue_and_webhooks.ts"
import { renderings } from "./0015_renderings.ts"
import { withdrawalRules } from "./0016_withdrawal_rules.ts"
import { valuesAndIndexes } from "./0017_values_and_indexes.ts"
import { erasure } from "./0018_erasure.ts"
import { scannedBlocks } from "./0019_scanned_blocks.ts"
import { treasury } from "./0020_treasury.ts"
import { conditions } from "./0021_conditions.ts"
import { foreignAssets } from "./0022_foreign_assets.ts"
import { sessions } from "./0023_sessions.ts"
import { tiers } from "./0024_tiers.ts"
import { screening } from "./0025_screening.ts"
import { outgoingColumns } from "./0026_outgoing_columns.ts"
import { oauth } from "./0027_oauth.ts"
import { passkeys } from "./0028_passkeys.ts"
import { releases } from "./0029_releases.ts"
import { blobs } from "./0030_blobs.ts"
import { blobReferences } from "./0031_blob_references.ts"
import { signingKeys } from "./0032_signing_keys.ts"
import { advisories } from "./0033_advisories.ts"
import { names } from "./0034_names.ts"
import { licenseActivations } from "./0035_license_activations.ts"
import { domains } from "./0036_domains.ts"
import { reports } from "./0037_reports.ts"
import { rescans } from "./0038_rescans.ts"
import { frontMatter } from "./0039_front_matter.ts"
import { quarantinedBytes } from "./0040_quarantined_bytes.ts"
import { appeals } from "./0041_appeals.ts"
import { soulReleases } from "./0042_soul_releases.ts"
import { waitingReleases } from "./0043_waiting_releases.ts"
import { resemblances } from "./0044_resemblances.ts"
import { purges } from "./0045_purges.ts"
import { notifications } from "./0046_notifications.ts"
import { images } from "./0047_images.ts"
import { ledgerCheckpoints } from "./0048_ledger_checkpoints.ts"
import { soulImages } from "./0049_soul_images.ts"
import { traceparents } from "./0050_traceparents.ts"
import { partitionedDeliveries } from "./0051_partitioned_deliveries.ts"
import { searchOfFewMatches } from "./0052_search_of_few_matches.ts"
import { hoursOfUse } from "./0053_hours_of_use.ts"
import { partitionedLedger } from "./0054_partitioned_ledger.ts"
import { partitionedEvents } from "./0055_partitioned_events.ts"
import { prefixesOfWords } from "./0056_prefixes_of_words.ts"

/** Every migration by id and name, each a list of single statements. Ids are contiguous from 1; released migrations never change. */
export const migrations: Readonly<Record<string, ReadonlyArray<string>>> = {
  "0001_foundation": foundation,
  "0002_identity": identity,
  "0003_catalogue": catalogue,
  "0004_money": money,
  "0005_webhooks": webhooks,
  "0006_withdrawal_transactions": withdrawalTransactions,
  "0007_sweeps": sweeps,
  "0008_search_of_several_words": searchOfSeveralWords,
  "0009_spent_windows": spentWindows,
  "0010_lifetime_of_keys": lifetimeOfKeys,
  "0011_standard_names": standardNames,
  "0012_escrow_and_freezes": escrowAndFreezes,
  "0013_control_of_accounts": controlOfAccounts,
  "0014_catalogue_and_webhooks": catalogueAndWebhooks,
  "0015_renderings": renderings,
  "0016_withdrawal_rules": withdrawalRules,
  "0017_values_and_indexes": valuesAndIndexes,
  "0018_erasure": erasure,
  "0019_scanned_blocks": scannedBlocks,
  "0020_treasury": treasury,
  "0021_conditions": conditions,
  "0022_foreign_assets": foreignAssets,
  "0023_sessions": sessions,
  "0024_tiers": tiers,
  "0025_screening": screening,
  "0026_outgoing_columns": outgoingColumns,
  "0027_oauth": oauth,
  "0028_passkeys": passkeys,
  "0029_releases": releases,
  "0030_blobs": blobs,
  "0031_blob_references": blobReferences,
  "0032_signing_keys": signingKeys,
  "0033_advisories": advisories,
  "0034_names": names,
  "0035_license_activations": licenseActivations,
  "0036_domains": domains,
  "0037_reports": reports,
  "0038_rescans": rescans,
  "0039_front_matter": frontMatter,
  "0040_quarantined_bytes": quarantinedBytes,
  "0041_appeals": appeals,
  "0042_soul_releases": soulReleases,
  "0043_waiting_releases": waitingReleases,
  "0044_resemblances": resemblances,
  "0045_purges": purges,
  "0046_notifications": notifications,
  "0047_images": images,
  "0048_ledger_checkpoints": ledgerCheckpoints,
  "0049_soul_images": soulImages,
  "0050_traceparents": traceparents,
  "0051_partitioned_deliveries": partitionedDeliveries,
  "0052_search_of_few_matches": searchOfFewMatches,
  "0053_hours_of_use": hoursOfUse,
  "0054_partitioned_ledger": partitionedLedger,
  "0055_partitioned_events": partitionedEvents,
  "0056_prefixes_of_words": prefixesOfWords
}
