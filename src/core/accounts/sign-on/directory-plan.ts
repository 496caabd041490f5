import type { Context } from '../../kernel/context.ts'
import type { AccountRules } from '../providers/account-rules.ts'
import type { DirectoryMember } from '../providers/directory.ts'
import { LDAP } from '../providers/ldap.ts'

/** Accounts that a sync deactivates without a confirmation: at most so many, or this part of all. */
const MAX_GONE = 5
const MAX_GONE_PART = 0.2

/** An account of a person in the directory. */
export interface Linked {
  readonly identity_id: number
  readonly subject: string
  readonly email: string | null
  readonly gone_at: number | null
  readonly user_id: number
  readonly full_name: string
  readonly delivery_email: string
  readonly is_active: number
}

export interface Gone {
  readonly linked: Linked
  readonly reason: 'absent' | 'disabled' | 'not in a required group'
}

/** What a sync would change. */
export interface SyncPlan {
  /** Accounts of people in the directory, in order. */
  readonly here: readonly { readonly linked: Linked; readonly member: DirectoryMember }[]
  readonly gone: readonly Gone[]
  /** Active accounts that the directory has to do with. */
  readonly active: number
}

export const linkedAccounts = ({ db }: Pick<Context, 'db'>): Promise<Linked[]> =>
  db
    .selectFrom('identity')
    .innerJoin('user', 'user.id', 'identity.user_id')
    .select(['identity.id as identity_id', 'identity.subject', 'identity.email', 'identity.gone_at'])
    .select(['user.id as user_id', 'user.full_name', 'user.delivery_email', 'user.is_active'])
    .where('identity.issuer', '=', LDAP)
    .orderBy('user.id')
    .execute()

/** Compares the accounts with the people of the directory. Emergency accounts are left alone. */
export function planSync(
  linked: readonly Linked[],
  members: readonly DirectoryMember[],
  { require }: AccountRules,
  isKept: (address: string) => boolean,
): SyncPlan {
  const bySubject = new Map(members.map((member) => [member.subject, member]))
  const here: { linked: Linked; member: DirectoryMember }[] = []
  const gone: Gone[] = []
  for (const account of linked) {
    const member = bySubject.get(account.subject)
    const reason = reasonFor(member, require)
    if (reason === undefined) here.push({ linked: account, member: member! })
    else if (account.is_active && !isKept(account.delivery_email)) gone.push({ linked: account, reason })
  }
  return { here, gone, active: linked.filter(({ is_active }) => is_active).length }
}

function reasonFor(member: DirectoryMember | undefined, require: AccountRules['require']): Gone['reason'] | undefined {
  if (!member) return 'absent'
  if (member.isDisabled) return 'disabled'
  const admits = !require || require.any.some((group) => member.required.includes(group))
  return admits ? undefined : 'not in a required group'
}

/** Returns whether a plan would deactivate so many accounts that the directory may be at fault. */
export const isAlarming = ({ gone, active }: SyncPlan): boolean =>
  gone.length > MAX_GONE && gone.length > active * MAX_GONE_PART
