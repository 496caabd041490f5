import { spectator } from '../../src/core/kernel/spectator.ts'
import { storeOf } from '../../src/core/kernel/store.ts'
import { subscribe } from '../../src/core/streams/subscriptions/subscribe.ts'
import { unsubscribe } from '../../src/core/streams/subscriptions/unsubscribe.ts'
import { apiOf } from '../../src/testing/api.ts'
import { type Person, world } from '../../src/testing/index.ts'
import { personOf } from '../../src/testing/person.ts'

/**
 * Decides who may see which message, and tests that every endpoint agrees. Each stream has three messages: `first`
 * while all members were subscribed, `second` after `ex` and `back` left, and `third` after `late` and `back` came.
 */
const people = {
  admin: { role: 'administrator' },
  mod: { role: 'moderator' },
  /** In everything from the beginning. */
  inside: {},
  /** A member who is in nothing. */
  outsider: {},
  /** Administers all streams, by their own setting, without being subscribed: that must not give access. */
  steward: {},
  /** May join all streams, and has joined none. */
  invited: {},
  guest: { role: 'guest' },
  guestInside: { role: 'guest' },
  bot: { bot: true },
  botInside: { bot: true },
  ex: {},
  back: {},
  late: {},
  /** Was in everything; deactivated since. */
  gone: {},
} as const
export type Name = keyof typeof people | 'iago' | 'hamlet'
export const everybody = [...Object.keys(people), 'iago', 'hamlet'] as Name[]
/** Everybody, and people without an account. */
export type Reader = Name | 'nobody'
export const readers: readonly Reader[] = [...everybody, 'nobody']

export const streams = {
  public: {},
  shared: { private: true, sharedHistory: true },
  protected: { private: true },
  web: { webPublic: true },
} as const
export type StreamName = keyof typeof streams
export type When = 'first' | 'second' | 'third'

export const always: Name[] = ['hamlet', 'inside', 'guestInside', 'botInside']
/** hamlet writes everything; iago owns the organization and is subscribed to nothing. */
const strangers: Name[] = ['iago', 'admin', 'mod', 'outsider', 'steward', 'invited', 'bot']

interface Row {
  who: readonly Reader[]
  /** The users who see it … */
  sees: Readonly<Record<string, readonly When[] | true>>
}

/** The table. Everybody not listed does not see the message. */
const rows: readonly Row[] = [
  {
    who: always,
    sees: {
      public: ['first', 'second', 'third'],
      shared: ['first', 'second', 'third'],
      protected: ['first', 'second', 'third'],
    },
  },
  {
    who: ['late'],
    sees: { public: ['first', 'second', 'third'], shared: ['first', 'second', 'third'], protected: ['third'] },
  },
  {
    who: ['back'],
    sees: { public: ['first', 'second', 'third'], shared: ['first', 'second', 'third'], protected: ['first', 'third'] },
  },
  { who: ['ex', ...strangers], sees: { public: ['first', 'second', 'third'] } },
  { who: ['hamlet', 'inside'], sees: { direct: true, group: true } },
  { who: ['late'], sees: { group: true } },
  { who: ['hamlet'], sees: { self: true } },
  { who: readers.filter((name) => name !== 'gone'), sees: { web: ['first', 'second', 'third'] } },
]

const directs: Readonly<Record<string, readonly Name[]>> = {
  direct: ['inside'],
  group: ['inside', 'late'],
  self: ['hamlet'],
}

export interface Sample {
  place: string
  when?: When
  id: number
  word: string
}

export const maySee = (name: Reader, { place, when }: Sample): boolean =>
  rows.some(({ who, sees }) => {
    const seen = sees[place]
    return who.includes(name) && (seen === true || (when !== undefined && seen?.includes(when) === true))
  })

export async function scene() {
  const w = await world({ people })
  await w.people.iago.api.patch('/realm', { enable_spectator_access: true })
  const hamlet = w.people.hamlet
  const person = (name: string) => w.person(name)
  const samples: Sample[] = []
  let count = 0
  const say = async (place: string, to: Parameters<Person['says']>[1], when?: When) => {
    const word = `zq${String.fromCharCode(97 + count++)}wx`
    const { id } = await hamlet.says(`A word: ${word}`, to)
    samples.push({ place, id, word, ...(when && { when }) })
  }
  for (const [name, stream] of Object.entries(streams)) {
    const join = (who: readonly Name[]) =>
      subscribe(hamlet, {
        subscriptions: [{ name }],
        principals: who.map((one) => person(one).id),
        invite_only: 'private' in stream,
        history_public_to_subscribers: !('private' in stream) || 'sharedHistory' in stream,
      })
    const to = { stream: name, topic: 'plot' }
    await join([...always, 'ex', 'back', 'gone'])
    const path = `/streams/${await w.streamId(name)}`
    if ('webPublic' in stream) await w.people.iago.api.patch(path, { is_web_public: true })
    const only = (who: Name) => ({ new: { direct_members: [person(who).id], direct_subgroups: [] } })
    await hamlet.api.patch(path, {
      can_subscribe_group: only('invited'),
      can_administer_channel_group: only('steward'),
    })
    for (const who of ['iago', 'admin', 'steward'] as const) {
      await person(who).api.patch(path, { can_subscribe_group: only(who), can_add_subscribers_group: only(who) })
    }
    await say(name, to, 'first')
    for (const one of ['ex', 'back']) await unsubscribe(person(one), { subscriptions: [name] })
    await say(name, to, 'second')
    await join(['late', 'back'])
    await say(name, to, 'third')
  }
  for (const [name, who] of Object.entries(directs)) await say(name, { people: who.map((one) => person(one)) })
  await storeOf(w.chat).write(({ db }) =>
    db.updateTable('user').set({ is_active: 0 }).where('id', '=', person('gone').id).execute(),
  )
  return { w, samples }
}

/** A person of the scene, or somebody without an account. */
export const readerOf = (w: Awaited<ReturnType<typeof scene>>['w'], name: Reader): Person =>
  name === 'nobody' ? { ...personOf(w.chat, spectator, ''), api: apiOf(w.chat) } : w.person(name)
