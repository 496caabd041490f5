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
  const send = async (method: string, path: string, document?: unknown, bearer: string = key): Promise<Answer> => {
    const response = await app.fetch(
      new Request(`${ORIGIN}/scim/v2${path}`, {
        method,
        headers: { authorization: `Bearer ${bearer}`, 'content-type': 'application/scim+json' },
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
