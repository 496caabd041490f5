import type { Context } from '../context.ts'
import { settingsOf } from '../settings/organization.ts'

/** Why an address may have no account in this organization; undefined where it may. */
export async function emailProblem(context: Context, email: string): Promise<string | undefined> {
  if (!(await settingsOf(context)).emails_restricted_to_domains) return undefined
  const domain = email.slice(email.lastIndexOf('@') + 1).toLowerCase()
  const rows = await context.db.selectFrom('organization_domain').select(['domain', 'allow_subdomains']).execute()
  const allowed = rows.some(
    (row) => domain === row.domain || (row.allow_subdomains === 1 && domain.endsWith(`.${row.domain}`)),
  )
  if (allowed) return undefined
  return `Your email address, ${email}, is not in one of the domains that are allowed to register for accounts in this organization.`
}
