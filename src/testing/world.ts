import { busOf } from '../core/events/log/bus.ts'
import { readLog } from '../core/events/log/log.ts'
import type { LoggedEvent } from '../core/events/types/table.ts'
import { type ManualClock, manualClock } from '../core/kernel/base/clock.ts'
import { timers } from '../core/kernel/base/timers.ts'
import type { Chat } from '../core/kernel/chat.ts'
import { contextOf } from '../core/kernel/context.ts'
import { storeOf } from '../core/kernel/store.ts'
import { findUser } from '../core/kernel/user.ts'
import { messageViews } from '../core/messages/view.ts'
import { openFrom, replacementOf } from '../core/open-chat.ts'
import type { MessageView } from '../core/shapes/message.ts'
import { type Person, personOf } from './person.ts'
import type { CastName, WorldSeed } from './seed.ts'
import { seedChat } from './seed-chat.ts'
import { chatOptions, isInMemory, type Template, templateOf } from './template.ts'

export type { Person } from './person.ts'
export type { WorldSeed } from './seed.ts'

/** The entire state of a world at one moment. */
export interface WorldSnapshot {
  readonly image: Uint8Array
  readonly now: number
}

export interface WorldBase<Name extends string = CastName> extends AsyncDisposable {
  readonly chat: Chat
  readonly clock: ManualClock
  readonly people: Readonly<Record<CastName, Person>> & Readonly<Record<Name, Person>>
  /** Ids of the seed's messages, in its order. */
  readonly message_ids: readonly number[]
  person(name: string): Person
  streamId(name: string): Promise<number>
  groupId(name: string): Promise<number>
  /** Returns everything logged since the last call, in order. */
  events(): Promise<LoggedEvent[]>
  /**
   * Returns the first message that passes the test, existing or future, with its content as written. Throws if none
   * came within `timeout` milliseconds of real time (5000 by default).
   */
  until(test: (message: MessageView) => boolean, options?: { timeout?: number }): Promise<MessageView>
  /** Returns the current state of the world, for `restore`. */
  snapshot(): Promise<WorldSnapshot>
  /**
   * Restores messages, people, queues, settings and the clock. Waiting polls are answered. The world's people keep
   * working, but other callers must be created again.
   */
  restore(snapshot: WorldSnapshot): Promise<void>
  /** Returns a configuration file for clients that read one: `zuliprc`. */
  zuliprc(person: Person | Name | CastName): string
}

/** A world. Its people are also members, unless another member has their name. */
export type World<Name extends string = CastName> = WorldBase<Name> & {
  readonly [N in CastName | Exclude<Literal<Name>, keyof WorldBase>]: Person
}
/** Literal names only. If names are just `string`, no people are members. */
type Literal<Name extends string> = string extends Name ? never : Name

/** More events than any test causes. */
const ALL = 100_000
const LOOK_EVERY_MS = 5

/**
 * Creates a chat in memory with people: the owner iago, the members hamlet and cordelia, the guest polonius, and the
 * people of the seed. All but guests are subscribed to the stream general. Its clock is fixed until it is advanced.
 * The first world of a seed takes some time, and all others are copies of it.
 *
 * @throws ChatError for what the API would reject too: a stream's name that is too long, a sender who isn't subscribed
 * @example
 * await using w = await world({ people: ['ann', 'bob'], streams: { verona: { members: ['ann', 'bob'] } } })
 * await w.ann.says('hello', { stream: 'verona', topic: 'plans' })
 */
export async function world<Name extends string = never>(
  seed: WorldSeed<Name> = {},
  clock: ManualClock = manualClock(),
): Promise<World<Name | CastName>> {
  const options = chatOptions({ ...seed.chat, clock })
  const template = isInMemory(options) ? await templateOf(seed as WorldSeed) : undefined
  const chat = await openFrom(options, template?.image)
  try {
    const seeded = template ? await peopleIn(chat, template) : await seedChat(chat, seed as WorldSeed)
    return worldOf(chat, clock, seeded) as World<Name | CastName>
  } catch (error) {
    await chat.close()
    throw error
  }
}

async function peopleIn(chat: Chat, { people, message_ids }: Template) {
  const { db } = storeOf(chat)
  const found = people.map(async ([name, id, key]): Promise<[string, Person]> => {
    const user = await findUser(db, id)
    return [name, personOf(chat, user!, key)]
  })
  return { people: Object.fromEntries(await Promise.all(found)), message_ids }
}

function worldOf(
  chat: Chat,
  clock: ManualClock,
  { people, message_ids }: { people: Readonly<Record<string, Person>>; message_ids: readonly number[] },
): World<string> {
  let seen = 0
  const startWatching = () => {
    seen = busOf(chat).head()
    busOf(chat).watch()
  }
  const idOf = async (table: 'stream' | 'user_group', name: string) =>
    (await storeOf(chat).db.selectFrom(table).select('id').where('name', '=', name).executeTakeFirstOrThrow()).id
  startWatching()
  const base: WorldBase<string> = {
    chat,
    clock,
    people: people as WorldBase<string>['people'],
    message_ids,
    person(name) {
      const person = people[name]
      if (!person) throw new Error(`nobody in this world is called ${name}`)
      return person
    },
    streamId: (name) => idOf('stream', name),
    groupId: (name) => idOf('user_group', name),
    async events() {
      // Transient events are only in memory.
      const entries = busOf(chat).recent(seen, ALL) ?? (await readLog(storeOf(chat).db, seen, ALL))
      seen = busOf(chat).head()
      return entries.map((entry) => JSON.parse(JSON.stringify(entry.payload)))
    },
    async until(test, { timeout = 5000 } = {}) {
      const deadline = performance.now() + timeout
      let waited = 0
      let last = 0
      for (;;) {
        for (const message of await messagesAfter(people.iago!, last)) {
          if (test(message)) return message
          last = message.id
        }
        // Both, because fixed timers in a test can stop either.
        if (performance.now() > deadline || waited > timeout) {
          throw new Error(`no such message came within ${timeout} ms; the newest has the id ${last}`)
        }
        await new Promise((resolve) => timers.setTimeout(resolve, LOOK_EVERY_MS))
        waited += LOOK_EVERY_MS
      }
    },
    snapshot: async () => ({ image: await storeOf(chat).image(), now: clock.now() }),
    async restore({ image, now }) {
      await replacementOf(chat)(image)
      clock.set(now)
      for (const person of Object.values(people)) {
        const user = await findUser(storeOf(chat).db, person.id)
        if (user) Object.assign(person, personOf(chat, user, person.key))
      }
      startWatching()
    },
    zuliprc(who) {
      const { email, key } = typeof who === 'string' ? base.person(who) : who
      return `[api]\nemail=${email}\nkey=${key}\nsite=${chat.options.publicUrl}\n`
    },
    [Symbol.asyncDispose]: () => chat.close(),
  }
  return { ...people, ...base } as World<string>
}

async function messagesAfter(reader: Person, id: number): Promise<MessageView[]> {
  const { db } = contextOf(reader.chat)
  const rows = await db.selectFrom('message').select('id').where('id', '>', id).orderBy('id').limit(1000).execute()
  const ids = rows.map((row) => row.id)
  return messageViews(reader, ids, { apply_markdown: false, client_gravatar: false, allow_empty_topic_name: true })
}
