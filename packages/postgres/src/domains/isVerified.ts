/** SQL for whether the account has proven a domain and is not frozen (DOMAIN-7). */
export const isVerified = (account: string): string =>
  `EXISTS (
    SELECT FROM account_domains JOIN accounts AS domain_owner ON domain_owner.id = account_domains.account_id
    WHERE account_domains.account_id = ${account} AND account_domains.status = 'verified' AND domain_owner.frozen_at IS NULL)`
