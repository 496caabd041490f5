import assert from 'node:assert/strict'
import * as v from 'valibot'
import { action } from '../../src/core/kernel/action.ts'
import { contextOf } from '../../src/core/kernel/context.ts'
import { text } from '../../src/core/kernel/fields.ts'
import { storeOf } from '../../src/core/kernel/store.ts'
import { accounts } from '../../src/core/users/people.ts'
import { basic, echoing, form, onBothTargets, one, ownerOf, whoAmI } from './targets.ts'

const echo = echoing({})
const routes = {
  '/me': { GET: whoAmI, POST: whoAmI },
  '/echo': { GET: echo },
  ...one(echoing({ client: v.nullish(text) })),
}

onBothTargets('every cause of a failed sign-in is answered with 401', { routes }, async ({ server, ask }) => {
  const { email, api_key, user_id } = await ownerOf(server)
  const wrong: [what: string, authorization: string | undefined][] = [
    ['nothing', undefined],
    ['empty', ''],
    ['another scheme', `Bearer ${api_key}`],
    ['no base64', 'Basic %%%'],
    ['no colon', `Basic ${Buffer.from(email).toString('base64')}`],
    ['wrong key', basic(email, `${api_key.slice(1)}A`)],
    ['no key', basic(email, '')],
    ['wrong e-mail', basic('nobody@example.com', api_key)],
    ['no e-mail', basic('', api_key)],
    ['the password', basic(email, 'correct horse')],
    ['very long', basic(email, 'x'.repeat(8000))],
  ]
  for (const [what, authorization] of wrong) {
    const headers = authorization === undefined ? {} : { authorization }
    const reply = await ask('/me', { method: 'POST', headers, body: form({}) })
    assert.deepEqual([what, reply.status], [what, 401])
    assert.match(reply.body.code, /^(UNAUTHORIZED|INVALID_API_KEY)$/, what)
    assert.equal(reply.headers.get('www-authenticate'), 'Basic realm="zulip"')
    assert.equal((await ask('/echo', { headers })).status, 200)
  }
  for (const name of [email, email.toLowerCase(), email.toUpperCase()]) {
    assert.equal((await ask('/me', { headers: { authorization: basic(name, api_key) } })).body.user_id, user_id)
  }
  const lowered = basic(email, api_key).replace('Basic', 'bAsIc')
  assert.equal((await ask('/me', { headers: { authorization: lowered } })).status, 200)
  await storeOf(server.chat).write(({ db }) => db.updateTable('user').set({ is_active: 0 }).execute())
  await contextOf(server.chat).write(async (tx) => accounts.invalidate(tx))
  const gone = await ask('/me', { headers: { authorization: basic(email, api_key) } })
  const deactivated = { result: 'error', msg: 'Account is deactivated', code: 'USER_DEACTIVATED' }
  assert.deepEqual([gone.status, gone.body], [401, deactivated])
})

const hook = action(
  { name: 'hook', summary: 'Hook', result: v.any(), params: v.object({ a: v.optional(text) }), credentials: 'query' },
  whoAmI,
)
onBothTargets(
  'an action may take the key alone, from the query',
  { routes: { '/hook': { POST: hook }, '/me': { GET: whoAmI } }, rateLimit: true },
  async ({ server, ask }) => {
    const { api_key, user_id, authorization } = await ownerOf(server)
    const post = (query: string, headers = {}) =>
      ask(`/hook${query}`, { method: 'POST', headers, body: form({ a: '1' }) })
    const { status, body, headers } = await post(`?api_key=${api_key}`)
    assert.deepEqual([status, body.user_id, body.ignored_parameters_unsupported], [200, user_id, undefined])
    assert.equal(headers.get('x-ratelimit-limit'), '200')
    for (const query of ['', '?api_key=', '?api_key=wrong', `?API_KEY=${api_key}`]) {
      assert.deepEqual([query, (await post(query)).status], [query, 401])
    }
    // It is not accepted elsewhere, and a key in the query is only accepted for actions that declare it.
    assert.equal((await post('', { authorization })).status, 401)
    assert.equal((await ask('/hook', { method: 'POST', body: form({ api_key }) })).status, 401)
    assert.equal((await ask(`/me?api_key=${api_key}`)).status, 401)
    await storeOf(server.chat).write(({ db }) => db.updateTable('user').set({ is_active: 0 }).execute())
    assert.equal((await post(`?api_key=${api_key}`)).status, 401)
  },
)

onBothTargets('who asks is settled before the body is looked at', { routes }, async ({ ask }) => {
  const headers = { 'content-type': 'application/json' }
  assert.equal((await ask('/me', { method: 'POST', headers, body: '{' })).status, 401)
})

onBothTargets('the program that speaks', { routes }, async ({ ask }) => {
  const clientOf = async (path: string, agent?: string) =>
    (await ask(path, { headers: agent === undefined ? {} : { 'user-agent': agent } })).body.client
  assert.equal(await clientOf('/echo', 'ZulipMobile/27.1 (Android 14)'), 'ZulipMobile')
  assert.equal(await clientOf('/echo', '(nothing)'), 'API')
  assert.equal(await clientOf('/echo?client=website', 'curl/8'), 'website')
  assert.equal(await clientOf('/echo?client=%00', 'curl/8'), 'curl')
  assert.equal(await clientOf(`/echo?client=${'x'.repeat(99)}`), 'x'.repeat(60))
  // An action may have a parameter of this name.
  const { body } = await ask('/x?client=mine', { headers: { 'user-agent': 'curl/8' } })
  assert.deepEqual([body.client, body.given], ['curl', { client: 'mine' }])
})

onBothTargets('the configured address', { routes, publicUrl: 'https://chat.example.com' }, async ({ ask }) => {
  assert.equal((await ask('/echo')).body.origin, 'https://chat.example.com')
})
