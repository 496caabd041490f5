import { runOn } from '../../src/admin/run-on.ts'
import { DEFAULT_BASE } from '../addresses.ts'
import type { Io } from '../io.ts'
import { type Common, print } from './print.ts'

const line = (name: string, value: unknown): string => `${name} ${JSON.stringify(value)}`

/** Prints or changes the organization's settings. */
export async function getSettings({ db, json, name }: Common & { name?: string }, io: Io): Promise<void> {
  const settings = await runOn(db, 'getSettings', {})
  if (name !== undefined && !(name in settings)) {
    throw new Error(`Unknown setting "${name}". Run "chat-server org get" to list all settings`)
  }
  const shown = name === undefined ? settings : { [name]: settings[name] }
  print(
    io,
    json,
    shown,
    Object.entries(shown).map(([key, value]) => line(key, value)),
  )
}

export async function setSetting(options: Common & { name: string; value: string }, io: Io): Promise<void> {
  const { db, json, name, value } = options
  const changed = await runOn(db, 'setSetting', { name, value })
  print(io, json, changed, [line(changed.name, changed.value)])
}

/** Prints the link that sets up the organization. */
export async function setUp({ db, json }: Common, io: Io): Promise<void> {
  const { base, path } = await runOn(db, 'setUpLink', {})
  if (path === null) throw new Error('This organization is already set up. Its owners can change it in the settings.')
  const link = `${base ?? DEFAULT_BASE}${path}`
  print(io, json, { link }, [link])
}

export async function setOrgActive({ db, json, active }: Common & { active: boolean }, io: Io): Promise<void> {
  const done = await runOn(db, active ? 'reactivateOrg' : 'deactivateOrg', {})
  const text = active
    ? 'The organization is active again. Scheduled messages that are less than a day late are sent now.'
    : 'The organization is deactivated. Nobody can sign in or send messages. Run "chat-server org reactivate" to reopen it.'
  print(io, json, done, [text])
}
