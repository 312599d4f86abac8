import { AhoCorasick } from "../signals/AhoCorasick.ts"

/**
 * Starts of the secrets that the preset knows. Only lines near one of them are given to it, because its patterns are too slow for whole
 * releases and may backtrack; every piece is bounded.
 */
const secretMarks: ReadonlyArray<string> = [
  "AKIA",
  "ASIA",
  "ABIA",
  "ACCA",
  "aws_",
  "AWS_",
  "ghp_",
  "gho_",
  "ghu_",
  "ghs_",
  "ghr_",
  "github_pat_",
  "glpat-",
  "xox",
  "xapp-",
  "hooks.slack.com/services/",
  "sk-",
  "sk_live",
  "rk_live",
  "sk_test",
  "npm_",
  "_authToken",
  "-----BEGIN",
  "SG.",
  "shpat_",
  "shpca_",
  "shppa_",
  "shpss_",
  "private_key",
  "lin_api_",
  "hf_",
  "gsk_",
  "figd_",
  "figu_",
  "secret_",
  "ntn_",
  "hvs.",
  "hvb.",
  "tskey-",
  "vercel_",
  "vcp_",
  "glsa_",
  "glc_",
  "dapi",
  "dckr_",
  "dop_v1_",
  "CLOUDFLARE",
  "cloudflare",
  "mongodb",
  "mysql://",
  "postgres",
  "redis://",
  "AIza",
  "ya29.",
  "sk-ant-",
  "xprv",
  "ops_ey",
  "dp.pt.",
  "LTAI"
]

const searchMarks = new AhoCorasick(secretMarks)

/** Whether the preset is to look at a text. */
export const mayHoldSecret = (line: string): boolean => {
  if (line.length < 16) return false
  let found = false
  searchMarks.search(line, () => {
    found = true
  })
  if (found) return true
  return line.includes("://") && line.includes("@")
}
