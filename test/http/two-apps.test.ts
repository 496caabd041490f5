import assert from 'node:assert/strict'
import test from 'node:test'
import { createApp } from '../../src/http/index.ts'
import { world } from '../../src/testing/index.ts'

test('apps of one process that share their routes share nothing else', async () => {
  await using first = await world({ chat: { maxFileUploadSizeMib: 1 } })
  await using second = await world({ chat: { maxFileUploadSizeMib: 3 } })
  const logged: string[] = []
  const log = (name: string) => ({ onRequest: ({ path }: { path: string }) => void logged.push(`${name} ${path}`) })
  const { hamlet } = first.people
  const authenticate = async () => ({ user_id: hamlet.id })
  const apps = {
    plain: createApp({ chat: first.chat }),
    other: createApp({ chat: second.chat }),
    logged: createApp({ chat: first.chat, ...log('logged') }),
    otherLogged: createApp({ chat: second.chat, ...log('otherLogged') }),
    host: createApp({ chat: first.chat, authenticate: authenticate as never }),
  }
  const ask = (name: keyof typeof apps, path: string, init: RequestInit = {}) =>
    apps[name].fetch(new Request(`http://localhost${path}`, init))
  const me = async (name: keyof typeof apps, authorization?: string) => {
    const response = await ask(name, '/api/v1/users/me', { headers: { ...(authorization && { authorization }) } })
    return response.status
  }
  assert.equal(await me('plain', hamlet.authorization), 200)
  // A key of the other organization.
  assert.equal(await me('other', hamlet.authorization), 401)
  for (const name of ['plain', 'other', 'logged', 'otherLogged'] as const) assert.equal(await me(name), 401, name)
  assert.equal(await me('host'), 200)
  assert.deepEqual(logged, ['logged /api/v1/users/me', 'otherLogged /api/v1/users/me'])

  const upload = async (name: keyof typeof apps, authorization: string) => {
    const body = new FormData()
    body.set('filename', new File([new Uint8Array(2 * 1024 * 1024)], 'two.bin'))
    return (await ask(name, '/api/v1/user_uploads', { method: 'POST', headers: { authorization }, body })).status
  }
  assert.notEqual(await upload('plain', hamlet.authorization), 200)
  assert.equal(await upload('other', second.people.hamlet.authorization), 200)
  assert.notEqual(await upload('logged', hamlet.authorization), 200)

  apps.plain.release()
  const open = await ask('other', '/api/v1/server_settings')
  assert.equal(open.headers.get('connection'), null)
  assert.equal((await ask('plain', '/api/v1/server_settings')).headers.get('connection'), 'close')
})
