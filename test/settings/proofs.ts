import { actAs } from '../../src/core/accounts/act-as.ts'
import { beginSession } from '../../src/core/accounts/sessions.ts'
import { contextOf } from '../../src/core/kernel/context.ts'
import { mailWorkerOf } from '../../src/core/messages/send/message-workers.ts'
import { userSettingsOf } from '../../src/core/settings/user.ts'
import type { Mail } from '../../src/network/mail/mail.ts'
import { apiOf } from '../../src/testing/api.ts'
import { type Answer, type Person, type World, world } from '../../src/testing/index.ts'
import { set } from '../messages/listen.ts'
import { PUSH_SERVICE, pushService } from '../push/device.ts'

/**
 * Proves that the server obeys a setting: the same is tried in two worlds, with the default and with `value`,
 * and must give the two outcomes.
 */
export interface Proof {
  /** A value, or the name of a system group for a permission. */
  value: unknown
  try(w: World): Promise<unknown>
  outcomes: [atFirst: unknown, changed: unknown]
  /** Other settings needed for the setting to make a difference. */
  given?(w: World): Promise<unknown>
  /** Whether the world has more users than a wildcard may mention without a permission. */
  crowded?: boolean
  /** Whether the world sends email. */
  mail?: true
}

const crowd = Object.fromEntries(Array.from({ length: 16 }, (_, i) => [`extra${i}`, {}]))

/** The subjects of the emails that a world has sent. */
const subjects = new WeakMap<World, string[]>()

export async function stage({ crowded = false, mail }: Pick<Proof, 'crowded' | 'mail'>): Promise<World> {
  const sent: string[] = []
  const send = async ({ subject }: Mail) => {
    sent.push(subject)
    return '250 OK'
  }
  const w = await world({
    chat: {
      // It registers devices, and never takes a notification, so that all of them wait.
      pushService: PUSH_SERVICE,
      outgoing: {
        post: pushService({ notify: { status: 503, body: '' } }).post,
        fetch: async () => ({
          status: 200,
          headers: { 'content-type': 'text/html' },
          bytes: Buffer.from('<title>The play</title>'),
        }),
      },
      ...(mail && { publicUrl: 'https://chat.example.com', mail: { from: 'chat@example.com', send } }),
    },
    people: crowded ? crowd : {},
    streams: { hall: { members: ['iago', 'hamlet'] }, tower: { private: true, members: ['iago', 'hamlet'] } },
  })
  subjects.set(w, sent)
  await mailWorkerOf(w.chat)?.settled()
  return w
}

/** Returns the subjects of the emails to hamlet within two minutes after cordelia wrote. */
export async function emailsAfter(w: World, act: (w: World) => Promise<unknown>): Promise<string[]> {
  await act(w)
  await mailWorkerOf(w.chat)!.settled()
  w.clock.advance(120_000)
  mailWorkerOf(w.chat)!.wake()
  await mailWorkerOf(w.chat)!.settled()
  return subjects.get(w)!
}

/** Returns the subjects of the emails to hamlet in two weeks. On the second Monday, cordelia writes in a channel. */
export async function emailsInTwoWeeks(w: World): Promise<string[]> {
  const { cordelia, iago } = w.people
  for (const { api } of [cordelia, iago]) await api.patch('/settings', { enable_digest_emails: false })
  for (let day = 1; day < 14; day++) {
    w.clock.advance(86_400_000)
    if (day === 11) await cordelia.says('word', { topic: 'plot' })
    mailWorkerOf(w.chat)!.wake()
    await mailWorkerOf(w.chat)!.settled()
  }
  return subjects.get(w)!
}

export const psst = ({ people: { cordelia, hamlet } }: World) => cordelia.says('psst', { people: [hamlet] })

/** `ok`, or why not. */
export const outcome = ({ msg }: Answer): string => msg || 'ok'

export const roleId = async (w: World, name: string): Promise<number> => {
  const { user_groups } = await w.people.iago.api.get('/user_groups')
  return user_groups.find((group: { name: string }) => group.name === name).id
}

type Params = Readonly<Record<string, unknown>>

export const create = (who: Person, name: string, params: Params = {}) =>
  who.api.post('/users/me/subscriptions', { subscriptions: [{ name }], ...params })

/** Ids of one message each of iago and of hamlet, in a topic of general. */
export async function talk(w: World) {
  const { iago, hamlet } = w.people
  return { hers: (await iago.says('hers')).id, his: (await hamlet.says('his')).id }
}

export const days = (count: number) => count * 86_400_000

/** The statuses of a session's requests, each so many days after the one before. */
export async function sessionUsed(w: World, gaps: readonly number[]): Promise<number[]> {
  const { email, password } = w.people.hamlet
  const { api_key: key } = await beginSession(contextOf(w.chat), { username: email, password })
  const statuses: number[] = []
  for (const gap of gaps) {
    w.clock.advance(days(gap))
    statuses.push((await apiOf(w.chat, { email, key: key! }).get('/users/me')).status)
  }
  return statuses
}

export const inTopic = async (w: World, topic: string): Promise<number> => {
  const narrow = [
    { operator: 'stream', operand: 'general' },
    { operator: 'topic', operand: topic },
  ]
  const { messages } = await w.people.iago.api.get('/messages', {
    anchor: 'newest',
    num_before: 9,
    num_after: 0,
    narrow,
  })
  return messages.length
}

const account = { email: 'yorick@example.com', full_name: 'yorick', password: 'alas alas' }
export const newAccount = (w: World, email = account.email) => w.people.iago.api.post('/users', { ...account, email })
export const languageOfNewAccount = async (w: World) => {
  await newAccount(w)
  return (await userSettingsOf(await actAs(w.chat, { email: account.email }))).default_language
}

export const moved = async (w: World, params: Params) => {
  const { his } = await talk(w)
  return outcome(await w.people.hamlet.api.patch(`/messages/${his}`, params))
}

export const later = async (w: World, time: number, act: (ids: { hers: number; his: number }) => Promise<Answer>) => {
  const ids = await talk(w)
  w.clock.advance(time)
  return outcome(await act(ids))
}

export { set }
