import assert from 'node:assert/strict'
import { createHmac, generateKeyPairSync, type KeyObject, sign } from 'node:crypto'
import test from 'node:test'
import { readSignOn } from '../../src/core/accounts/providers/config.ts'
import { codeOf, stepAt } from '../../src/core/accounts/second-factor/totp.ts'
import { noteVerified } from '../../src/core/accounts/verified-email.ts'
import { manualClock } from '../../src/core/kernel/base/clock.ts'
import { contextOf } from '../../src/core/kernel/context.ts'
import { apiOf, type World, type WorldSeed, world } from '../../src/testing/index.ts'

const ORIGIN = 'https://chat.example.com'
const SECRET = 'correct horse battery staple, 32+'
const NOT_ENABLED = 'JWT authentication is not enabled for this organization'
const BAD = 'Bad JSON web token'

const part = (value: unknown) =>
  Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)).toString('base64url')
const signed = (header: unknown, claims: unknown, signature: (data: string) => Buffer) => {
  const data = `${part(header)}.${part(claims)}`
  return `${data}.${signature(data).toString('base64url')}`
}
const hmac = (key: string | Buffer) => (data: string) => createHmac('sha256', key).update(data).digest()

async function scene({ jwt = {}, seed = {}, ...file }: { jwt?: object; seed?: WorldSeed; providers?: [] } = {}) {
  const clock = manualClock()
  const config = { providers: [], ...file, jwt: { algorithm: 'HS256', key: SECRET, ...jwt } }
  const w: World = await world({ ...seed, chat: { publicUrl: ORIGIN, signOn: { config } } } as WorldSeed, clock)
  const api = apiOf(w.chat)
  const now = () => Math.floor(clock.now() / 1000)
  const claims = (more: object = {}) => ({ email: w.hamlet.email, aud: ORIGIN, exp: now() + 300, ...more })
  return {
    w,
    clock,
    now,
    claims,
    send: (token: unknown, more: object = {}) => api.post('/jwt/fetch_api_key', { token, ...more }),
    token: (more: object = {}, header: object = { alg: 'HS256', typ: 'JWT' }, key = SECRET) =>
      signed(header, claims(more), hmac(key)),
    [Symbol.asyncDispose]: () => w[Symbol.asyncDispose](),
  }
}

test('a token is exchanged for a key once', async () => {
  await using s = await scene()
  const { hamlet, iago } = s.w
  const token = s.token()
  const answer = await s.send(token)
  assert.deepEqual(Object.keys(answer).toSorted(), ['api_key', 'email', 'msg', 'result', 'status'])
  assert.equal(answer.email, hamlet.email)
  const api = apiOf(s.w.chat, { email: hamlet.email, key: answer.api_key })
  assert.equal((await api.get('/users/me')).user_id, hamlet.id)
  const again = await s.send(token)
  assert.deepEqual([again.status, again.code, again.msg], [400, 'BAD_REQUEST', BAD])
  const { entries } = await iago.api.get('/audit', { action: 'signIn', subject_kind: 'user', subject_id: hamlet.id })
  assert.deepEqual(entries[0].after, { by: 'JSON web token', kind: 'key' })
  // Clients of other versions have another name for it, and want the user, too.
  const { user } = await s.send(undefined, { json_web_token: s.token({ n: 1 }), include_profile: true })
  assert.deepEqual([user.user_id, user.full_name, 'profile_data' in user], [hamlet.id, 'hamlet', false])
})

test('the documented errors', async () => {
  await using off = await world()
  const refused = await apiOf(off.chat).post('/jwt/fetch_api_key', { token: 'x' })
  assert.deepEqual([refused.status, refused.code, refused.msg], [400, 'BAD_REQUEST', NOT_ENABLED])
  await using s = await scene()
  const messages: (readonly [token: unknown, msg: string])[] = [
    [undefined, 'No JSON web token passed in request'],
    ['', 'No JSON web token passed in request'],
    ['x', BAD],
    [s.token({ email: undefined }), 'No email specified in JSON web token claims'],
    [s.token({ email: 7 }), 'No email specified in JSON web token claims'],
  ]
  for (const [token, msg] of messages) {
    const answer = await s.send(token)
    assert.deepEqual([answer.status, answer.code, answer.msg], [400, 'BAD_REQUEST', msg])
  }
  const nobody = await s.send(s.token({ email: 'nobody@example.com' }))
  assert.deepEqual([nobody.status, nobody.code], [401, 'AUTHENTICATION_FAILED'])
  await s.w.iago.api.delete(`/users/${s.w.hamlet.id}`)
  const gone = await s.send(s.token())
  assert.deepEqual([gone.status, gone.code], [401, 'USER_DEACTIVATED'])
  await s.w.iago.api.post('/realm/deactivate')
  const closed = await s.send(s.token({ email: s.w.iago.email }))
  assert.deepEqual([closed.status, closed.code], [401, 'REALM_DEACTIVATED'])
})

test('attack: other algorithms, keys and shapes', async () => {
  await using s = await scene()
  const claims = s.claims()
  const right = s.token()
  const [header, payload, signature] = right.split('.') as [string, string, string]
  const flipped = Buffer.from(signature, 'base64url')
  flipped[0]! ^= 1
  const bad = [
    signed({ alg: 'none', typ: 'JWT' }, claims, () => Buffer.alloc(0)),
    `${part({ alg: 'none' })}.${payload}.`,
    `${header}.${payload}.`,
    `${header}.${payload}`,
    `${right}.${signature}`,
    `${header}.${part({ ...claims, email: s.w.iago.email })}.${signature}`,
    `${header}.${payload}.${flipped.toString('base64url')}`,
    `${header}.${payload}.${signature.slice(0, -4)}`,
    s.token({}, { alg: 'hs256', typ: 'JWT' }),
    s.token({}, { alg: 'HS384' }),
    s.token({}, { alg: ['HS256'] }),
    s.token({}, { alg: 'HS256', crit: ['exp'] }),
    s.token({}, { alg: 'HS256', typ: 'logout+jwt' }),
    s.token({}, undefined, `${SECRET}x`),
    s.token({}, undefined, ''),
    signed('not json', claims, hmac(SECRET)),
    signed({ alg: 'HS256' }, 'not json', hmac(SECRET)),
    signed({ alg: 'HS256' }, [claims], hmac(SECRET)),
    signed({ alg: 'HS256' }, null, hmac(SECRET)),
    s.token({ filler: 'x'.repeat(9000) }),
  ]
  for (const token of bad) assert.deepEqual([token, (await s.send(token)).msg], [token, BAD])
  assert.equal((await s.send(right)).status, 200)
})

test('attack: times and audiences', async () => {
  await using s = await scene()
  const now = s.now()
  const bad: object[] = [
    { exp: undefined },
    { exp: 'soon' },
    { exp: Number.POSITIVE_INFINITY },
    { exp: now - 60 },
    { exp: now + 361 },
    { nbf: now + 61 },
    { iat: now + 61 },
    { aud: undefined },
    { aud: 'https://other.example' },
    { aud: `${ORIGIN}.evil.example` },
    { aud: [] },
    { aud: { 0: ORIGIN } },
  ]
  for (const more of bad) assert.deepEqual([more, (await s.send(s.token(more))).msg], [more, BAD])
  const good: object[] = [
    { exp: now - 59 },
    { exp: now + 360 },
    { nbf: now + 60, iat: now + 60 },
    { aud: `${ORIGIN}/` },
    { aud: ['x', ORIGIN] },
  ]
  for (const more of good) assert.deepEqual([more, (await s.send(s.token(more))).status], [more, 200])
})

test('attack: the same token in another spelling, at the same moment, and as long as it is valid', async () => {
  await using s = await scene()
  const token = s.token()
  // The last characters of base64 have bits that mean nothing.
  const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'
  const last = letters.indexOf(token.at(-1)!)
  const twin = token.slice(0, -1) + letters[last ^ 1]
  const answers = await Promise.all([s.send(token), s.send(twin), s.send(token)])
  assert.deepEqual(answers.map(({ status }) => status).toSorted(), [200, 400, 400])
  s.clock.advance(359_000)
  assert.equal((await s.send(token)).msg, BAD)
  // An application that names its tokens can use each name once.
  assert.equal((await s.send(s.token({ jti: 'a' }))).status, 200)
  assert.equal((await s.send(s.token({ jti: 'a', n: 2 }))).msg, BAD)
  assert.equal((await s.send(s.token({ jti: 'b' }))).status, 200)
})

test('public keys work, and nobody signs with them', async () => {
  const pem = (key: KeyObject) => key.export({ type: 'spki', format: 'pem' }).toString()
  const pairs = {
    RS256: generateKeyPairSync('rsa', { modulusLength: 2048 }),
    ES256: generateKeyPairSync('ec', { namedCurve: 'P-256' }),
    EdDSA: generateKeyPairSync('ed25519'),
  }
  for (const [algorithm, { publicKey, privateKey }] of Object.entries(pairs)) {
    const key = pem(publicKey)
    await using s = await scene({ jwt: { algorithm, key } })
    const by = (data: string) =>
      sign(algorithm === 'EdDSA' ? null : 'sha256', Buffer.from(data), { key: privateKey, dsaEncoding: 'ieee-p1363' })
    assert.equal((await s.send(signed({ alg: algorithm }, s.claims(), by))).status, 200)
    for (const alg of ['HS256', algorithm]) {
      for (const secret of [key, key.trim()])
        assert.equal((await s.send(signed({ alg }, s.claims({ n: 1 }), hmac(secret)))).msg, BAD)
    }
  }
  const { publicKey } = pairs.RS256
  const small = generateKeyPairSync('rsa', { modulusLength: 1024 }).publicKey
  for (const [jwt, sentence] of [
    [{ algorithm: 'HS256' }, /needs either "key" or "key_file"/],
    [{ algorithm: 'HS256', key: SECRET, key_file: '/x' }, /needs either/],
    [{ algorithm: 'HS256', key_file: '/absent' }, /"jwt.key_file" can't be read/],
    [{ algorithm: 'HS256', key: 'short' }, /at least 32 bytes/],
    [{ algorithm: 'HS256', key: pem(publicKey) }, /not for HS256/],
    [{ algorithm: 'RS256', key: SECRET }, /must be a public key in PEM/],
    [{ algorithm: 'ES256', key: pem(publicKey) }, /no key for ES256/],
    [{ algorithm: 'RS256', key: pem(small) }, /no key for RS256/],
    [{ algorithm: 'none', key: SECRET }, /must be one of HS256, RS256, ES256, EdDSA/],
  ] as const) {
    assert.throws(() => readSignOn({ providers: [], jwt }), sentence)
  }
})

test('accounts follow the rules of the file', async () => {
  await using s = await scene({ jwt: { create: 'allowed_domains', trusted_domains: ['example.com'] } })
  const { iago } = s.w
  const created = await s.send(s.token({ email: 'ann@example.com', name: 'Ann Lee' }), { include_profile: true })
  assert.deepEqual([created.email, created.user.full_name, created.user.role], ['ann@example.com', 'Ann Lee', 400])
  for (const email of ['eve@evil.example', 'not an address', 'mi\u212Ae@example.com', `${'a'.repeat(400)}@example.com`])
    assert.equal((await s.send(s.token({ email }))).code, 'AUTHENTICATION_FAILED')
  // The token names a person, not an address: it stays theirs.
  await iago.api.patch(`/users/${created.user.user_id}`, { new_email: 'lee@example.com' })
  assert.equal((await s.send(s.token({ email: 'ann@example.com', n: 1 }))).email, 'lee@example.com')
  await s.w.hamlet.api.post('/bots', { full_name: 'Robot', short_name: 'robot' })
  const { bots } = await s.w.hamlet.api.get('/bots')
  assert.equal((await s.send(s.token({ email: bots[0].username }))).code, 'AUTHENTICATION_FAILED')
})

test('an account with a second factor gets no key, unless the application asks for one itself', async () => {
  for (const second_factor of ['ask', 'provided']) {
    await using s = await scene({ jwt: { second_factor } })
    const { hamlet, iago } = s.w
    await contextOf(s.w.chat).write((tx) => noteVerified(tx, hamlet.id))
    const { secret } = await hamlet.api.post('/users/me/totp', { password: hamlet.password })
    await hamlet.api.post('/users/me/totp/confirm', { code: codeOf(secret, stepAt(s.now())) })
    const { status, code, msg } = await s.send(s.token())
    if (second_factor === 'provided') assert.equal(status, 200)
    else {
      assert.deepEqual([status, code], [401, 'AUTHENTICATION_FAILED'])
      assert.match(msg, /second factor/)
      const { entries } = await iago.api.get('/audit', { action: 'signIn', outcome: 'denied' })
      assert.deepEqual([entries.length, entries[0].subject_id], [1, hamlet.id])
    }
  }
})
