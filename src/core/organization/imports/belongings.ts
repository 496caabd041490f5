import type { RecordOf } from '../../../import/format.ts'
import { foreignHash } from '../../accounts/foreign-passwords.ts'
import { lengthOf } from '../../kernel/base/limits.ts'
import type { Report } from './report.ts'

export const MAX_STATUS_LENGTH = 60
export const MAX_PROFILE_VALUE_LENGTH = 50

/**
 * Reports what happens to a person's own data. New accounts get it, and matched accounts keep theirs. Stubs have no
 * data that only its owner sees or sets.
 */
export function reportBelongings(
  report: Report,
  { status, profile, alert_words = [], muted_users = [], avatar, timezone, password }: RecordOf<'user'>,
  place: string,
  how: 'existing' | 'new' | 'stub',
): void {
  const values = Object.values(profile ?? {}).filter((value) => value !== '')
  const own: [kind: string, count: number][] = [
    ['status', status?.text || status?.emoji ? 1 : 0],
    ['profile value', values.length],
    ['alert word', alert_words.filter(Boolean).length],
    ['muted user', muted_users.length],
    ['picture', avatar === undefined ? 0 : 1],
    ['time zone', timezone ? 1 : 0],
  ]
  for (const [kind, count] of own) {
    if (count === 0) continue
    if (how === 'existing') report.leftOut(kind, 'the account that matches by address keeps its own', place, count)
    else if (how === 'stub' && isForAccounts(kind)) report.leftOut(kind, 'stubs have none', place, count)
    else report.imported(kind, count)
  }
  if (password) {
    if (how === 'existing') report.leftOut('password', 'the account that matches by address keeps its own', place)
    else if (how === 'stub') report.leftOut('password', 'stubs have none', place)
    else if (foreignHash(password)) report.imported('password')
    else report.leftOut('password', 'its kind is unknown. They need a link to set one', place)
  }
  if (how !== 'new') return
  if (lengthOf(status?.text ?? '') > MAX_STATUS_LENGTH)
    report.changed('status', `it is longer than ${MAX_STATUS_LENGTH} characters`, place)
  if (values.some((value) => lengthOf(value) > MAX_PROFILE_VALUE_LENGTH))
    report.changed('profile value', `it is longer than ${MAX_PROFILE_VALUE_LENGTH} characters`, place)
}

const isForAccounts = (kind: string): boolean => ['status', 'profile value', 'alert word'].includes(kind)
