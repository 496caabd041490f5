import { invalidatePeople } from '../../src/core/users/people.ts'
import { createApp } from '../../src/http/app.ts'
import { type WorldSeed, world } from '../../src/testing/index.ts'

export const ORIGIN = 'https://chat.example.com'
export const ERROR = 'urn:ietf:params:scim:api:messages:2.0:Error'
export const PATCH = 'urn:ietf:params:scim:api:messages:2.0:PatchOp'

export interface Answer {
  status: number
  // biome-ignore lint/suspicious/noExplicitAny: any JSON.
  body: Record<string, any>
  headers: Headers
}

/** A world with an owner's key for provisioning, and what an identity provider sends with it. */
export async function scimScene(seed: WorldSeed = {}) {
  const w = await world({ ...seed, chat: { publicUrl: ORIGIN, ...seed.chat } } as WorldSeed)
  const { api_key: key } = await w.iago.api.post('/users/me/api_keys', {
    ...{ name: 'Okta', scopes: ['provision_groups'], password: w.iago.password },
  })
  const app = createApp({ chat: w.chat, publicUrl: ORIGIN })
  const send = async (
    method: string,
    path: string,
    document?: unknown,
    bearer: string = key,
    headers: Record<string, string> = {},
  ): Promise<Answer> => {
    const response = await app.fetch(
      new Request(`${ORIGIN}/scim/v2${path}`, {
        method,
        headers: { authorization: `Bearer ${bearer}`, 'content-type': 'application/scim+json', ...headers },
        ...(document !== undefined && { body: typeof document === 'string' ? document : JSON.stringify(document) }),
      }),
    )
    const text = await response.text()
    return { status: response.status, body: text === '' ? {} : JSON.parse(text), headers: response.headers }
  }
  return {
    w,
    app,
    key,
    owner: w.iago,
    send,
    patch: (id: unknown, ...Operations: object[]) => send('PATCH', `/Users/${id}`, { schemas: [PATCH], Operations }),
    find: async (filter: string) => (await send('GET', `/Users?${new URLSearchParams({ filter })}`)).body,
    [Symbol.asyncDispose]: () => w[Symbol.asyncDispose](),
  }
}

type Scene = Awaited<ReturnType<typeof scimScene>>

/** Inserts accounts as rows, and returns their IDs. */
export async function crowd({ w }: Scene, count: number): Promise<number[]> {
  const ids: number[] = []
  for (let start = 0; start < count; start += 500) {
    const rows = Array.from({ length: Math.min(500, count - start) }, (_, i) => {
      const email = `crowd${start + i}@example.com`
      return {
        ...{ email, delivery_email: email, email_key: email, full_name: `crowd ${start + i}`, name_key: email },
        ...{ role: 400, is_active: 1 as const, bot_type: null, bot_owner_id: null, is_system_bot: 0 as const },
        ...{ date_joined: 0, timezone: '', avatar_source: 'G' as const, avatar_version: 1, avatar_blob_id: null },
        password_hash: null,
      }
    })
    await w.iago.write(async (tx) => {
      invalidatePeople(tx)
      for (const { id } of await tx.db.insertInto('user').values(rows).returning('id').execute()) ids.push(id)
    })
  }
  return ids
}

/** Makes accounts members of a group, as rows. */
export async function fill({ w }: Scene, id: string, people: readonly number[]): Promise<void> {
  for (let start = 0; start < people.length; start += 500) {
    const rows = people.slice(start, start + 500).map((user_id) => ({ group_id: Number(id), user_id }))
    await w.iago.write(async ({ db }) => void (await db.insertInto('user_group_member').values(rows).execute()))
  }
}

/** Counts the turns of the event loop during some work. */
export async function countingTurns<T>(work: () => Promise<T>): Promise<{ turns: number; result: T }> {
  let turns = 0
  let isDone = false
  const tick = () => {
    turns++
    if (!isDone) setImmediate(tick)
  }
  setImmediate(tick)
  const result = await work()
  isDone = true
  return { turns, result }
}
