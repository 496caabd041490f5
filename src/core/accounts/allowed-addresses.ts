import { disposableEmailBlocklistSet } from 'disposable-email-domains-js'
import { lazy } from '../kernel/base/lazy.ts'
import type { Context } from '../kernel/context.ts'
import { settingsOf } from '../settings/organization.ts'

const known = lazy(disposableEmailBlocklistSet)

/** Returns whether a domain, or a parent of it, offers disposable addresses. */
function isDisposable(domain: string): boolean {
  const labels = domain.toLowerCase().split('.')
  return labels.some((_, i) => known().has(labels.slice(i).join('.')))
}

/** Returns why an address may have no account in this organization, or undefined. */
export async function emailProblem(context: Context, email: string): Promise<string | undefined> {
  const { emails_restricted_to_domains, disallow_disposable_email_addresses } = await settingsOf(context)
  const domain = email.slice(email.lastIndexOf('@') + 1).toLowerCase()
  if (!emails_restricted_to_domains) {
    return disallow_disposable_email_addresses && isDisposable(domain)
      ? 'Please use your real email address.'
      : undefined
  }
  const rows = await context.db.selectFrom('organization_domain').select(['domain', 'allow_subdomains']).execute()
  const allowed = rows.some(
    (row) => domain === row.domain || (row.allow_subdomains === 1 && domain.endsWith(`.${row.domain}`)),
  )
  if (allowed) return undefined
  return `Your email address, ${email}, is not in one of the domains that are allowed to register for accounts in this organization.`
}
