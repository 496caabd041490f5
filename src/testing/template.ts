import { manualClock, seconds } from '../core/kernel/base/clock.ts'
import type { ChatOptions } from '../core/kernel/chat.ts'
import { storeOf } from '../core/kernel/store.ts'
import { openFrom } from '../core/open-chat.ts'
import { openStore } from '../storage/index.ts'
import type { WorldSeed } from './seed.ts'
import { seedChat } from './seed-chat.ts'

/** A seeded database that worlds are copied from. Copying takes a fraction of the time of seeding. */
export interface Template {
  readonly image: Uint8Array
  /** Name, id and API key of each person. */
  readonly people: readonly (readonly [name: string, id: number, key: string])[]
  readonly message_ids: readonly number[]
}

/** All worlds have the same secret, so that the keys in a template work in its copies. */
export const SECRET = new Uint8Array(32).fill(7)

/** Tests that need a receiver supply one. */
const noNetwork = () => Promise.reject(new Error('there is no network in this world'))

export const chatOptions = (options: ChatOptions = {}): ChatOptions => ({
  passwordCost: 4,
  checkContract: true,
  secret: SECRET,
  outgoing: { post: noNetwork, fetch: noNetwork },
  ...options,
})

export const isInMemory = ({ db = ':memory:' }: ChatOptions): boolean => db === ':memory:'

const MAX_TEMPLATES = 50
const templates = new Map<string, Promise<Template>>()

/** Returns the template of a seed, created on first use. */
export function templateOf(seed: WorldSeed): Promise<Template> {
  const { logger: _, onBroken: __, outgoing: ___, mail: ____, signOn: _____, ...chat } = seed.chat ?? {}
  // A world with its own randomness or secret can't share a template.
  if (chat.random || chat.secret) return make(seed, chat)
  const key = JSON.stringify({ ...seed, chat })
  const found = templates.get(key)
  if (found) return found
  const made = make(seed, chat)
  templates.set(key, made)
  made.catch(() => templates.delete(key))
  if (templates.size > MAX_TEMPLATES) templates.delete(templates.keys().next().value!)
  return made
}

let empty: Promise<Uint8Array> | undefined

/** Returns a database without an organization. Copying it takes a tenth of the time of creating its tables. */
export function emptyDatabase(): Promise<Uint8Array> {
  empty ??= createEmpty()
  return empty
}

async function createEmpty(): Promise<Uint8Array> {
  const clock = manualClock()
  const store = await openStore({ file: ':memory:', now: () => seconds(clock) })
  try {
    return await store.image()
  } finally {
    await store.close()
  }
}

async function make(seed: WorldSeed, options: ChatOptions): Promise<Template> {
  const inMemory = chatOptions({ ...options, db: ':memory:', clock: manualClock() })
  await using chat = await openFrom(inMemory, await emptyDatabase())
  const { people, message_ids } = await seedChat(chat, seed)
  return {
    image: await storeOf(chat).image(),
    people: Object.entries(people).map(([name, { id, key }]) => [name, id, key] as const),
    message_ids,
  }
}
