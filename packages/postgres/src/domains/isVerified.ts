/** SQL for whether the account has proven a domain (DOMAIN-7). */
export const isVerified = (account: string): string =>
  `EXISTS (SELECT FROM account_domains WHERE account_domains.account_id = ${account} AND account_domains.status = 'verified')`
