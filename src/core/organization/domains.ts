import * as v from 'valibot'
import { type Db, flag } from '../../storage/index.ts'
import { everyone } from '../events/log/audience.ts'
import { emit } from '../events/log/emit.ts'
import { statePart } from '../events/log/state-part.ts'
import { action } from '../kernel/action.ts'
import type { Tx } from '../kernel/context.ts'
import { badRequest } from '../kernel/errors.ts'
import { bool, described, none, text } from '../kernel/fields.ts'
import { domainShape } from '../shapes/organization.ts'
import { empty, id } from '../shapes/values.ts'
import { updateOrganization } from './update.ts'

const MAX_DOMAINS = 1000

const domainsOf = async (db: Db) => {
  const rows = await db.selectFrom('organization_domain').select(['domain', 'allow_subdomains']).orderBy('id').execute()
  return rows.map(({ domain, allow_subdomains }) => ({ domain, allow_subdomains: allow_subdomains === 1 }))
}

/** The domains in register's response. */
export const domainState = statePart({ realm_domains: v.array(domainShape) }, async ({ db }) => ({
  realm_domains: await domainsOf(db),
}))

const problems: readonly (readonly [wrong: (domain: string) => boolean, why: string])[] = [
  [(domain) => domain === '', "Domain can't be empty."],
  [(domain) => !domain.includes('.'), 'Domain must have at least one dot (.)'],
  [(domain) => domain.length > 80, 'Domain is too long'],
  [(domain) => /^\.|\.$/.test(domain), 'Domain cannot start or end with a dot (.)'],
  [(domain) => domain.includes('..'), "Consecutive '.' are not allowed."],
  [(domain) => /(^|\.)-|-(\.|$)/.test(domain), "Subdomains cannot start or end with a '-'."],
  [(domain) => !/^[a-z0-9.-]+$/.test(domain), "Domain can only have letters, numbers, '.' and '-'s."],
]

const newDomain = v.pipe(
  text,
  v.trim(),
  v.toLowerCase(),
  v.rawCheck(({ dataset, addIssue }) => {
    if (!dataset.typed) return
    const { value } = dataset
    const problem = problems.find(([wrong]) => wrong(value))
    if (problem) addIssue({ message: `Invalid domain: ${problem[1]}` })
  }),
)
const domain = described(v.pipe(text, v.toLowerCase()), 'The domain.')
const allow_subdomains = described(bool, 'Whether to also allow email addresses in its subdomains.')

/**
 * GET /realm/domains: lists the allowed domains of accounts' email addresses, if the organization restricts them.
 *
 * @throws USER_DEACTIVATED if the caller's account was deactivated
 */
export const listDomains = action(
  {
    name: 'listDomains',
    summary: "List the organization's domains",
    params: none,
    result: v.strictObject({ domains: v.array(domainShape) }),
  },
  async ({ db }) => ({ domains: await domainsOf(db) }),
)

/**
 * POST /realm/domains: allows a domain.
 *
 * @throws UNAUTHORIZED_PRINCIPAL unless the caller is an owner
 * @throws BAD_REQUEST for an invalid domain, and for one that is already allowed
 */
export const addDomain = action(
  {
    name: 'addDomain',
    summary: 'Add a domain',
    audit: { subject: 'domain', made: ({ new_domain }) => new_domain[0] },
    params: v.object({ domain: described(newDomain, 'The domain.'), allow_subdomains }),
    result: v.strictObject({ new_domain: v.tuple([id, v.string()]) }),
    idempotencyKey: 'one write',
    role: 'owner',
  },
  (caller, { domain, allow_subdomains }) =>
    caller.write(async (tx) => {
      const others = await domainsOf(tx.db)
      if (others.some((other) => other.domain === domain)) {
        throw badRequest(`The domain ${domain} is already a part of your organization.`)
      }
      if (others.length >= MAX_DOMAINS) throw badRequest(`An organization can have at most ${MAX_DOMAINS} domains.`)
      const { id } = await tx.db
        .insertInto('organization_domain')
        .values({ domain, allow_subdomains: flag(allow_subdomains) })
        .returning('id')
        .executeTakeFirstOrThrow()
      await emit(tx, { type: 'realm_domains', op: 'add', realm_domain: { domain, allow_subdomains } }, everyone)
      return { new_domain: [id, domain] as [number, string] }
    }),
)

const domainId = async ({ db }: Tx, domain: string): Promise<number | undefined> =>
  (await db.selectFrom('organization_domain').select('id').where('domain', '=', domain).executeTakeFirst())?.id

const noEntry = (domain: string) => badRequest(`No entry found for domain ${domain}.`)

/**
 * PATCH /realm/domains/{domain}: sets whether subdomains are allowed.
 *
 * @throws UNAUTHORIZED_PRINCIPAL unless the caller is an owner
 * @throws BAD_REQUEST "No entry found for domain …"
 */
export const updateDomain = action(
  {
    name: 'updateDomain',
    summary: 'Update a domain',
    audit: { subject: 'domain', id: ({ domain }, tx) => domainId(tx, domain) },
    params: v.object({ domain, allow_subdomains }),
    result: empty,
    role: 'owner',
  },
  (caller, { domain, allow_subdomains }) =>
    caller.write(async (tx) => {
      const changed = await tx.db
        .updateTable('organization_domain')
        .set({ allow_subdomains: flag(allow_subdomains) })
        .where('domain', '=', domain)
        .returning('id')
        .executeTakeFirst()
      if (!changed) throw noEntry(domain)
      await emit(tx, { type: 'realm_domains', op: 'change', realm_domain: { domain, allow_subdomains } }, everyone)
      return {}
    }),
)

/**
 * DELETE /realm/domains/{domain}: removes a domain. Removing the last one ends the restriction, because otherwise no
 * one could join.
 *
 * @throws UNAUTHORIZED_PRINCIPAL unless the caller is an owner
 * @throws BAD_REQUEST "No entry found for domain …"
 */
export const removeDomain = action(
  {
    name: 'removeDomain',
    summary: 'Remove a domain',
    audit: { subject: 'domain', id: ({ domain }, tx) => domainId(tx, domain) },
    params: v.object({ domain }),
    result: empty,
    role: 'owner',
  },
  (caller, { domain }) =>
    caller.write(async (tx) => {
      const gone = await tx.db
        .deleteFrom('organization_domain')
        .where('domain', '=', domain)
        .returning('id')
        .executeTakeFirst()
      if (!gone) throw noEntry(domain)
      await emit(tx, { type: 'realm_domains', op: 'remove', domain }, everyone)
      if ((await domainsOf(tx.db)).length === 0) await updateOrganization(tx, { emails_restricted_to_domains: false })
      return {}
    }),
)
