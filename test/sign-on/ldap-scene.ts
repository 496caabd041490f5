import { manualClock } from '../../src/core/kernel/base/clock.ts'
import { createApp } from '../../src/http/app.ts'
import { apiOf, type World, type WorldSeed, world } from '../../src/testing/index.ts'
import type { LogEntry } from '../../src/testing/server.ts'
import { type FakeEntry, fakeDirectory } from './fake-directory.ts'
import { browserOf, ORIGIN } from './scene.ts'

export const BASE = 'dc=example,dc=com'
const PEOPLE = `ou=people,${BASE}`
export const GROUPS = `ou=groups,${BASE}`
export const reader = { bind_dn: `cn=chat,${BASE}`, bind_password: 'the reader' }

/** A person in the directory, whose password is the name and "'s horse". */
export function person(uid: string, more: Record<string, readonly (string | Buffer)[]> = {}): FakeEntry {
  return {
    dn: `uid=${uid},${PEOPLE}`,
    password: `${uid}'s horse`,
    attributes: {
      objectClass: ['person'],
      entryUUID: [`uuid-of-${uid}`],
      uid: [uid],
      mail: [`${uid}@example.com`],
      cn: [`${uid[0]!.toUpperCase()}${uid.slice(1)} Lee`],
      ...more,
    },
  }
}

export const group = (
  cn: string,
  members: readonly string[],
  more: Record<string, readonly string[]> = {},
): FakeEntry => ({
  dn: `cn=${cn},${GROUPS}`,
  attributes: { objectClass: ['groupOfNames'], cn: [cn], member: members, ...more },
})
export const dnOf = (uid: string): string => `uid=${uid},${PEOPLE}`

interface Options {
  /** Members of `ldap`. */
  ldap?: object
  /** More members of the file. */
  file?: object
  entries?: FakeEntry[]
  seed?: WorldSeed
}

/** A world whose people have their passwords in a directory. */
export async function ldapScene({ ldap = {}, file = {}, entries = [person('ann')], seed = {} }: Options = {}) {
  const log: LogEntry[] = []
  const clock = manualClock()
  const readerEntry = { dn: reader.bind_dn, password: reader.bind_password, attributes: {} }
  const directory = await fakeDirectory([readerEntry, ...entries])
  const collect = (level: LogEntry['level']) => (details: object, message: string) =>
    void log.push({ level, message, details })
  const config = {
    providers: [],
    ldap: { url: directory.url, base: BASE, create: 'allowed_domains', ...reader, ...ldap },
    ...file,
  }
  const chat = {
    publicUrl: ORIGIN,
    signOn: { config },
    logger: { info: collect('info'), warn: collect('warn'), error: collect('error') },
    ...seed.chat,
  }
  const w: World = await world({ ...seed, chat } as WorldSeed, clock)
  const api = apiOf(w.chat)
  const app = createApp({ chat: w.chat, publicUrl: ORIGIN })
  return {
    w,
    api,
    app,
    clock,
    log,
    directory,
    warnings: () => log.filter(({ level }) => level === 'warn').map(({ message }) => message),
    browser: () => browserOf(app.fetch),
    /** Exchanges a password for a key. */
    key: (username: string, password: string, more: object = {}) =>
      api.post('/fetch_api_key', { username, password, ...more }),
    /** Returns the account of an address, as the administrator sees it. */
    async account(email: string): Promise<Record<string, unknown> | undefined> {
      const { members } = await w.iago.api.get('/users')
      return (members as Record<string, unknown>[]).find((one) => one.delivery_email === email)
    },
    /** Returns the rows of the audit log about an account, newest first. */
    async audit(user_id: unknown): Promise<{ action: string; outcome: string; after: Record<string, unknown> }[]> {
      const { entries } = await w.iago.api.get('/audit', { subject_kind: 'user', subject_id: user_id })
      return entries
    },
    async [Symbol.asyncDispose]() {
      await w[Symbol.asyncDispose]()
      await directory[Symbol.asyncDispose]()
    },
  }
}
