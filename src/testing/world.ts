import { addUser } from '../core/accounts/create.ts'
import { createOrganization } from '../core/accounts/create-organization.ts'
import { issueKey } from '../core/accounts/keys.ts'
import { hashPassword } from '../core/accounts/passwords.ts'
import { type ManualClock, manualClock } from '../core/base/clock.ts'
import type { Chat, ChatOptions } from '../core/chat.ts'
import { type Caller, callerOf, type Tx } from '../core/context.ts'
import { busOf } from '../core/event-log/bus.ts'
import { readLog } from '../core/event-log/log.ts'
import type { LoggedEvent } from '../core/event-log/types/table.ts'
import { sendMessage } from '../core/messages/send/send.ts'
import { openChat } from '../core/open-chat.ts'
import { type RoleName, roles } from '../core/roles.ts'
import { storeOf } from '../core/store.ts'
import { subscribe } from '../core/subscriptions/subscribe.ts'
import { findUser } from '../core/user.ts'
import { type Api, apiOf } from './api.ts'

/** A user of a test world: a caller for the library, credentials for the API, and a few short cuts. */
export interface Person extends Caller {
  readonly id: number
  readonly email: string
  readonly password: string
  readonly key: string
  /** Sends to a stream's topic, or to users; returns the message's id. */
  says(content: string, to?: { stream?: string; topic?: string; people?: readonly Person[] }): Promise<{ id: number }>
  joins(...streams: string[]): Promise<void>
  /** The HTTP API with this user's credentials, without a socket. */
  readonly api: Api
}

export interface PersonSeed {
  role?: RoleName
  /** A bot, owned by the organization's owner. */
  bot?: boolean
  email?: string
}

export interface StreamSeed {
  private?: boolean
  /** Whether later subscribers see earlier messages; private streams only. */
  sharedHistory?: boolean
  members?: readonly string[]
}

export interface WorldSeed {
  org?: string
  /** By name; the owner "iago" always exists. */
  people?: Readonly<Record<string, PersonSeed>>
  streams?: Readonly<Record<string, StreamSeed>>
  chat?: Omit<ChatOptions, 'clock'>
}

export interface World<Names extends string = 'iago' | 'hamlet' | 'cordelia' | 'polonius'> extends AsyncDisposable {
  readonly chat: Chat
  readonly clock: ManualClock
  readonly people: Readonly<Record<Names | 'iago', Person>>
  person(name: string): Person
  streamId(name: string): Promise<number>
  /** Everything logged since the last call, in order. */
  events(): Promise<LoggedEvent[]>
}

const cast = {
  hamlet: {},
  cordelia: {},
  polonius: { role: 'guest' },
} as const satisfies Record<string, PersonSeed>

/** Tests that need a receiver bring one. */
const noNetwork = () => Promise.reject(new Error('there is no network in this world'))

const PASSWORD = 'correct horse'
/** More events than a test makes. */
const ALL = 100_000

/**
 * A chat in memory with people in it: the owner iago, the members hamlet and cordelia, the guest polonius, and the
 * stream general, in which all but the guest are. Its clock stands still until it is advanced.
 *
 * @example
 * await using w = await world()
 * await w.people.iago.says('hello')
 */
export async function world(seed: WorldSeed = {}): Promise<World> {
  const clock = manualClock()
  const chat = await openChat({
    passwordCost: 4,
    checkContract: true,
    outgoing: { post: noNetwork },
    ...seed.chat,
    clock,
  })
  const owner = await createOrganization(chat, {
    org: seed.org ?? 'Elsinore',
    owner_email: 'iago@example.com',
    owner_name: 'iago',
    owner_password: PASSWORD,
  })
  const iago = person(chat, (await findUser(storeOf(chat).db, owner.user_id))!, owner.api_key)
  const people: Record<string, Person> = { iago }
  const password_hash = await hashPassword(PASSWORD, 4)
  for (const [name, who] of Object.entries<PersonSeed>({ ...cast, ...seed.people })) {
    people[name] = await iago.write(async (tx: Tx) => {
      const user = await addUser(tx, {
        email: who.email ?? `${name}@example.com`,
        full_name: name,
        role: roles[who.role ?? 'member'],
        password_hash: who.bot ? null : password_hash,
        ...(who.bot && { bot_type: 1, bot_owner_id: iago.id }),
      })
      return person(chat, user, await issueKey(tx, user.id))
    })
  }
  for (const [name, stream] of Object.entries(seed.streams ?? {})) {
    const members = (stream.members ?? ['iago']).map((member) => people[member]!.id)
    await subscribe(iago, {
      subscriptions: [{ name }],
      principals: members,
      invite_only: stream.private ?? false,
      history_public_to_subscribers: stream.private ? (stream.sharedHistory ?? false) : true,
    })
  }
  let seen = busOf(chat).head()
  busOf(chat).watch()
  return {
    chat,
    clock,
    people: people as World['people'],
    person: (name) => people[name]!,
    async streamId(name) {
      const row = await storeOf(chat)
        .db.selectFrom('stream')
        .select('id')
        .where('name', '=', name)
        .executeTakeFirstOrThrow()
      return row.id
    },
    async events() {
      // Transient events are only in memory.
      const entries = busOf(chat).recent(seen, ALL) ?? (await readLog(storeOf(chat).db, seen, ALL))
      seen = busOf(chat).head()
      return entries.map((entry) => JSON.parse(JSON.stringify(entry.payload)))
    },
    [Symbol.asyncDispose]: () => chat.close(),
  }
}

function person(chat: Chat, user: Caller['user'], key: string): Person {
  const caller = callerOf(chat, user, { client: 'test' })
  return {
    ...caller,
    id: user.id,
    email: user.email,
    password: PASSWORD,
    key,
    api: apiOf(chat, { email: user.email, key }),
    async says(content, { stream = 'general', topic = 'greetings', people } = {}) {
      const { id } = people
        ? await sendMessage(caller, { type: 'private', to: people.map((p) => p.id), content })
        : await sendMessage(caller, { type: 'stream', to: stream, topic, content })
      return { id }
    },
    async joins(...streams) {
      await subscribe(caller, { subscriptions: streams.map((name) => ({ name })) })
    },
  }
}
