import assert from 'node:assert/strict'
import * as crypto from 'node:crypto'
import test from 'node:test'
import bcrypt from 'bcryptjs'
import { foreignHash } from '../../src/core/accounts/foreign-passwords.ts'
import { storeOf } from '../../src/core/kernel/store.ts'
import { apiOf, world } from '../../src/testing/index.ts'
import { ArchiveFolder, importInto, jsonLines } from './archives.ts'

const PASSWORD = 'correct horse battery'
const { argon2Sync } = crypto as unknown as { argon2Sync(kind: string, options: object): Buffer }
const plain = (bytes: Buffer) => bytes.toString('base64').replaceAll('=', '')

const pbkdf2 = (iterations = 1000) =>
  `pbkdf2_sha256$${iterations}$salt$${crypto.pbkdf2Sync(PASSWORD, 'salt', iterations, 32, 'sha256').toString('base64')}`
const argon2 = (memory = 64) => {
  const nonce = Buffer.from('salt and salt')
  const options = { message: PASSWORD, nonce, parallelism: 2, tagLength: 32, memory, passes: 2 }
  const hash = plain(argon2Sync('argon2id', options))
  return `argon2$argon2id$v=19$m=${memory},t=2,p=2$${plain(nonce)}$${hash}`
}

const hashes = {
  'ann@example.com': pbkdf2(),
  'bob@example.com': argon2(),
  'cid@example.com': bcrypt.hashSync(PASSWORD, 4),
}

test('people sign in with the password of the other server, whose hash is replaced', async () => {
  await using w = await world()
  using archive = new ArchiveFolder({
    'import.jsonl': jsonLines(
      ...Object.entries(hashes).map(([email, password], n) => ({
        type: 'user',
        id: `u${n}`,
        name: `New ${n}`,
        email,
        password,
      })),
      { type: 'user', id: 'u7', name: 'Stub', password: pbkdf2() },
      { type: 'user', id: 'u8', name: 'Hamlet', email: 'hamlet@example.com', password: pbkdf2() },
      { type: 'user', id: 'u9', name: 'Odd', email: 'odd@example.com', password: 'md5$abc' },
    ),
  })
  const dry = await importInto(w.chat, archive, { dryRun: true })
  const { report } = await importInto(w.chat, archive)
  assert.deepEqual(dry.report, report)
  assert.doesNotMatch(JSON.stringify(report), /pbkdf2|argon2|\$2/)
  assert.equal(report.imported.password, 3)
  assert.deepEqual(
    report.left_out.filter(({ kind }) => kind === 'password').map(({ reason, count }) => [reason, count]),
    [
      ['stubs have none', 1],
      ['the account that matches by address keeps its own', 1],
      ['its kind is unknown. They need a link to set one', 1],
    ],
  )
  const { db } = storeOf(w.chat)
  const stored = async (email: string) =>
    (await db.selectFrom('user').select('password_hash').where('delivery_email', '=', email).executeTakeFirstOrThrow())
      .password_hash
  const api = apiOf(w.chat)
  const signIn = (username: string, password: string) => api.post('/fetch_api_key', { username, password })
  for (const [email, hash] of Object.entries(hashes)) {
    assert.equal(await stored(email), hash)
    assert.equal((await signIn(email, 'wrong')).code, 'AUTHENTICATION_FAILED')
    assert.equal(await stored(email), hash)
    assert.equal((await signIn(email, PASSWORD)).result, 'success')
    assert.match((await stored(email))!, /^scrypt\$/)
    assert.equal((await signIn(email, PASSWORD)).result, 'success')
  }
  assert.equal(await stored('odd@example.com'), null)
  assert.equal((await signIn('odd@example.com', 'abc')).code, 'AUTHENTICATION_FAILED')
})

test('rejects hashes that are too short, or take too much work', async () => {
  const wrong = [
    'pbkdf2_sha256$0$salt$AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=',
    'pbkdf2_sha256$9000000$salt$AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=',
    'pbkdf2_sha256$1000$salt$AAAAAAAAAAAAAAAAAAAA',
    'pbkdf2_sha1$1000$salt$AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=',
    argon2().replace('m=64', 'm=9000000'),
    argon2().replace('m=64', 'm=8'),
    argon2().replace('t=2', 't=99'),
    argon2().replace('t=2', 't=0'),
    argon2().replace('p=2', 'p=99'),
    argon2().replace('p=2', 'p=0'),
    hashes['cid@example.com'].replace('$04$', '$03$'),
    hashes['cid@example.com'].replace('$04$', '$31$'),
    '!unusable',
    '',
  ]
  for (const hash of wrong) assert.equal(foreignHash(hash), undefined, hash)
  for (const hash of Object.values(hashes)) {
    assert.equal(await foreignHash(hash)!(PASSWORD), true)
    assert.equal(await foreignHash(hash)!('other'), false)
  }
})
