import { runOn } from '../../src/admin/run-on.ts'
import type { KeyScope } from '../../src/core/kernel/scopes.ts'
import { DEFAULT_BASE } from '../addresses.ts'
import type { Io } from '../io.ts'
import { type Common, columns, print } from './print.ts'

interface AddOptions extends Common {
  email?: string
  name?: string
  password?: string
  role: string
  bot?: boolean
  owner?: string
  from?: string
}

export async function add(options: AddOptions, io: Io): Promise<void> {
  const { db, json, email, name, password, role, bot, owner, from } = options
  if (from !== undefined) {
    if (email !== undefined) throw new Error('Give an email address or --from, not both')
    return (await import('./import-users.ts')).importUsers({ db, json: json ?? false, from }, io)
  }
  if (email === undefined || name === undefined) throw new Error('An account needs an email address and --name')
  if (bot) {
    const added = await runOn(db, 'addBot', { email, name, role, ...(owner !== undefined && { owner }) })
    print(io, json, added, [
      `Created the bot ${added.email} (user ${added.user_id}, ${added.role}). Save this now. It won't be shown again:`,
      `  API key   ${added.api_key}`,
    ])
    return
  }
  if (owner !== undefined) throw new Error('--owner needs --bot')
  const added = await runOn(db, 'addUser', { email, name, role, ...(password !== undefined && { password }) })
  print(io, json, added, [
    `Created ${added.email} (user ${added.user_id}, ${added.role}). Save this now. It won't be shown again:`,
    `  Password  ${added.password}`,
    `  API key   ${added.api_key}`,
  ])
}

export async function list({ db, json }: Common, io: Io): Promise<void> {
  const result = await runOn(db, 'listUsers', {})
  const rows = result.members.map((user) => [
    String(user.user_id),
    user.email,
    user.full_name,
    user.is_bot ? 'bot' : user.role,
    user.is_active ? '' : 'deactivated',
  ])
  print(io, json, result, columns([['id', 'email', 'name', 'role', ''], ...rows]))
}

export async function changeRole(
  { db, json, email, role }: Common & { email: string; role: string },
  io: Io,
): Promise<void> {
  const changed = await runOn(db, 'changeRole', { email, role })
  print(io, json, changed, [`${changed.email} is now ${changed.role}`])
}

export async function rename(
  { db, json, email, name }: Common & { email: string; name: string },
  io: Io,
): Promise<void> {
  const changed = await runOn(db, 'rename', { email, name })
  print(io, json, changed, [`${changed.email} is now named ${changed.full_name}`])
}

export async function resetPassword(options: Common & { email: string; password?: string }, io: Io): Promise<void> {
  const { db, json, email, password } = options
  const reset = await runOn(db, 'resetPassword', { email, ...(password !== undefined && { password }) })
  print(io, json, reset, [
    `New password for ${reset.email}, which won't be shown again: ${reset.password}`,
    'All earlier API keys are revoked.',
  ])
}

export async function passwordLink(options: Common & { email: string; publicUrl?: string }, io: Io): Promise<void> {
  const { db, json, email, publicUrl } = options
  const { base, path, ...issued } = await runOn(db, 'passwordLink', { email })
  const link = `${publicUrl ?? base ?? DEFAULT_BASE}${path}`
  print(io, json, { ...issued, link }, [
    `This link lets ${issued.email} set a new password once, until ${time(issued.expires_at)}:`,
    `  ${link}`,
    'The current password and API keys work until then.',
  ])
}

export async function resetFactor({ db, json, email }: Common & { email: string }, io: Io): Promise<void> {
  const done = await runOn(db, 'resetFactor', { email })
  print(io, json, done, [`${done.email} signs in with the password only, until they add another second factor.`])
}

const time = (seconds: number | null): string =>
  seconds === null ? 'never' : new Date(seconds * 1000).toISOString().replace('.000', '')

export async function listKeys({ db, json, email }: Common & { email: string }, io: Io): Promise<void> {
  const result = await runOn(db, 'listKeys', { email })
  const limits = ({ kind, scopes, channels, expires_at }: (typeof result.api_keys)[number]) =>
    kind !== 'token'
      ? ''
      : [
          scopes?.join(', '),
          channels && `channels ${channels.join(', ')}`,
          expires_at !== null && `until ${time(expires_at)}`,
        ]
          .filter(Boolean)
          .join('; ')
  const rows = result.api_keys.map((key) => [
    String(key.id),
    key.name,
    time(key.created_at),
    time(key.last_used_at),
    limits(key),
  ])
  print(io, json, result, columns([['id', 'name', 'created', 'last used', 'limits'], ...rows]))
}

export async function endKeys(
  { db, json, email, key_id }: Common & { email: string; key_id?: number },
  io: Io,
): Promise<void> {
  const result = await runOn(db, 'endKeys', { email, ...(key_id !== undefined && { key_id }) })
  print(io, json, result, [`${result.ended} API key${result.ended === 1 ? '' : 's'} of ${result.email} revoked`])
}

export async function newKey(
  { db, json, email, name }: Common & { email: string; name?: string },
  io: Io,
): Promise<void> {
  const issued = await runOn(db, 'newKey', { email, ...(name !== undefined && { name }) })
  print(io, json, issued, [`New API key for ${issued.email}, which won't be shown again: ${issued.api_key}`])
}

interface LimitedKeyOptions extends Common {
  email: string
  name?: string
  scopes: string[]
  expires_in_days?: number | undefined
  channels?: string[] | undefined
}

export async function newLimitedKey({ db, json, ...given }: LimitedKeyOptions, io: Io): Promise<void> {
  const { email, name, scopes, expires_in_days, channels } = given
  if (name === undefined) throw new Error('A key with limits needs --name')
  const issued = await runOn(db, 'newLimitedKey', {
    ...{ email, name, scopes: scopes as KeyScope[] },
    ...(expires_in_days !== undefined && { expires_in_days }),
    ...(channels !== undefined && { channels }),
  })
  print(io, json, issued, [
    `New API key for ${issued.email} with the scopes ${scopes.join(', ')}, which won't be shown again: ${issued.api_key}`,
  ])
}

export async function setActive(
  { db, json, email, active }: Common & { email: string; active: boolean },
  io: Io,
): Promise<void> {
  const changed = await runOn(db, 'setActive', { email, active })
  print(io, json, changed, [`${changed.email} is ${active ? 'active again' : 'deactivated'}`])
}

export async function merge(
  { db, json, email, into }: Common & { email: string; into: string },
  io: Io,
): Promise<void> {
  const merged = await runOn(db, 'mergeUser', { email, into })
  print(io, json, merged, [`Merged ${email} into ${merged.email} (user ${merged.user_id}).`])
}

export async function erase(
  { db, json, email, messages }: Common & { email: string; messages: boolean },
  io: Io,
): Promise<void> {
  const erased = await runOn(db, 'eraseUser', { email, messages })
  print(io, json, erased, [
    `Erased user ${erased.user_id}${messages ? ' and their messages' : '. Their messages stay under "Deleted user"'}.`,
    ...(erased.exports > 0 ? [`Deleted ${erased.exports} of the server's own exports.`] : []),
    'Backups, and exports that were downloaded, still contain the data. Delete them, or erase again after a restore.',
    ...erased.copies.flatMap(({ kind, file, written_at }) => (file ? [`  ${time(written_at)}  ${kind}  ${file}`] : [])),
    'A SQLite file keeps deleted bytes in free pages until it is vacuumed.',
  ])
}
