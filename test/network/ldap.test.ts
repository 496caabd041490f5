import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { join } from 'node:path'
import test from 'node:test'
import { openDirectory } from '../../src/network/ldap/directory.ts'
import { firstValue } from '../../src/network/ldap/entry.ts'
import { groupsByReading } from '../../src/network/ldap/groups.ts'
import { type LdapServer, parseLdapUrl } from '../../src/network/ldap/ldap-server.ts'
import { certificate } from '../mail/certificate.ts'
import { type FakeDirectory, fakeDirectory } from '../sign-on/fake-directory.ts'
import { BASE, person } from '../sign-on/ldap-scene.ts'
import { TemporaryFolder } from '../temporary-folder.ts'

const attributes = { subject: 'entryUUID', username: 'uid', email: 'mail', name: 'cn', groups: 'memberOf' }

const over = ({ port }: { port: number }, server: Partial<LdapServer> = {}) =>
  openDirectory({
    server: { host: '127.0.0.1', port, tls: 'none', ca: undefined, ...server },
    reader: undefined,
    user_dn: undefined,
    base: BASE,
    filter: '(objectClass=person)',
    attributes,
    groups: undefined,
  })
const prove = (fake: { port: number }, server?: Partial<LdapServer>) => over(fake, server).prove('ann', "ann's horse")
/** Passwords that a directory got. */
const passwords = (directory: FakeDirectory) => directory.binds().map(({ password }) => password)

test('StartTLS protects the password, with a certificate that is checked', async () => {
  await using directory = await fakeDirectory([person('ann')])
  const found = await prove(directory, { tls: 'starttls', ca: certificate })
  assert.equal(found?.email, 'ann@example.com')
  assert.deepEqual(passwords(directory), ["ann's horse"])
  assert.equal((await prove(directory, { tls: 'starttls', ca: certificate, host: 'localhost' }))?.name, 'Ann Lee')
})

test('attack: a certificate that nobody trusts, or of another name, gets no password', async () => {
  await using directory = await fakeDirectory([person('ann')])
  await assert.rejects(prove(directory, { tls: 'starttls' }), /SELF_SIGNED/)
  await assert.rejects(prove(directory, { tls: 'starttls', ca: certificate, host: '127.1' }), /ERR_TLS_CERT/)
  assert.deepEqual(passwords(directory), [])
})

test('attack: without StartTLS there is no sign-in, and no second connection in plain text', async () => {
  await using directory = await fakeDirectory([person('ann')])
  directory.fake.startTls = 'refused'
  await assert.rejects(prove(directory, { tls: 'starttls', ca: certificate }), /127\.0\.0\.1:\d+ failed/)
  directory.fake.startTls = 'drops'
  const lost = prove(directory, { tls: 'starttls', ca: certificate, timeoutMs: 200 })
  await assert.rejects(lost, /failed/)
  assert.deepEqual([passwords(directory), directory.fake.connections], [[], 2])
})

test('attack: a connection that ends after the bind is not opened again', async () => {
  await using directory = await fakeDirectory([person('ann')])
  directory.fake.misbehaves = ({ search }, socket) => {
    if (!search) return undefined
    socket.destroy()
    return 'nothing'
  }
  await assert.rejects(prove(directory), /failed/)
  assert.equal(directory.fake.connections, 1)
})

test('LDAPS needs a directory with TLS', async () => {
  await using directory = await fakeDirectory([person('ann')])
  await assert.rejects(prove(directory, { tls: 'ldaps', ca: certificate, timeoutMs: 300 }), /failed/)
  assert.deepEqual(passwords(directory), [])
})

test('a directory that never answers is left after the time limit', async () => {
  await using directory = await fakeDirectory([person('ann')])
  directory.fake.misbehaves = () => 'nothing'
  await assert.rejects(prove(directory, { timeoutMs: 50 }), /timed? ?out/i)
  const silent = createServer((socket) => void socket.on('error', () => {})).listen(0, '127.0.0.1')
  await once(silent, 'listening')
  const { port } = silent.address() as { port: number }
  await assert.rejects(prove({ port }, { timeoutMs: 50, tls: 'starttls' }), /failed/)
  silent.close()
})

test('a refused connection, a referral and a busy directory are failures and no wrong passwords', async () => {
  await using directory = await fakeDirectory([person('ann')])
  for (const code of [1, 8, 10, 13, 51, 52, 80]) {
    directory.fake.misbehaves = ({ bind }) => (bind ? { code } : undefined)
    await assert.rejects(prove(directory), /failed/)
  }
  for (const code of [19, 32, 34, 48, 49, 53]) {
    directory.fake.misbehaves = ({ bind }) => (bind ? { code } : undefined)
    assert.equal(await prove(directory), undefined)
  }
  const { port } = directory
  await directory[Symbol.asyncDispose]()
  await assert.rejects(prove({ port }), /ECONNREFUSED/)
})

test('all pages are read, and a directory that stops in the middle has no answer', async () => {
  const people = Array.from({ length: 1234 }, (_, i) => person(`p${i}`))
  await using directory = await fakeDirectory(people)
  assert.equal((await over(directory).people()).length, 1234)
  const pages = directory.fake.asked.length
  assert.equal(pages, 3)
  let asked = 0
  directory.fake.misbehaves = (_, socket) => {
    if (++asked < 3) return undefined
    socket.destroy()
    return 'nothing'
  }
  await assert.rejects(over(directory).people(), /failed/)
  directory.fake.misbehaves = () => ({ code: 4 })
  await assert.rejects(over(directory).people(), /SizeLimitExceeded/)
})

test('addresses of directories', () => {
  const parts = (url: string, more: object = {}) => {
    const { host, port, tls } = parseLdapUrl(url, more)
    return [host, port, tls]
  }
  assert.deepEqual(parts('ldaps://ldap.example.com'), ['ldap.example.com', 636, 'ldaps'])
  assert.deepEqual(parts('ldap://ldap.example.com'), ['ldap.example.com', 389, 'starttls'])
  assert.deepEqual(parts('ldap://localhost:3890/'), ['localhost', 3890, 'none'])
  assert.deepEqual(parts('ldap://[::1]', { tls: 'starttls' }), ['::1', 389, 'starttls'])
  using folder = new TemporaryFolder()
  for (const [url, more, sentence] of [
    ['ldap.example.com', {}, /"url" must be an address/],
    ['http://x', {}, /"url" must be an address/],
    ['ldap://', {}, /"url" must be an address/],
    ['ldap://x/dc=example', {}, /"url" must have only a host/],
    ['ldap://u:p@x', {}, /"url" must have only a host/],
    ['ldaps://x', { tls: 'starttls' }, /"tls" has no meaning/],
    ['ldap://x', { tls: 'none' }, /passwords would be readable/],
    ['ldap://127.0.0.1.evil.example', { tls: 'none' }, /passwords would be readable/],
    ['ldaps://x', { ca_file: join(folder.path, 'missing') }, /"ca_file" can't be read/],
  ] as const)
    assert.throws(() => parseLdapUrl(url, more), sentence)
})

test('other work gets its turn while the groups of a large directory are read', async () => {
  const groups = Array.from({ length: 50 }, (_, i) => ({ dn: `cn=group${i},${BASE}`, member: [`uid=ann,${BASE}`] }))
  const connection = { bind: async () => true, search: async () => groups }
  let turns = 0
  const count = () => {
    turns++
    counting = setImmediate(count)
  }
  let counting = setImmediate(count)
  const find = await groupsByReading(connection, { base: BASE, filter: '(objectClass=*)' })
  clearImmediate(counting)
  assert.ok(turns >= 40, `${turns} turns`)
  assert.equal((await find([{ dn: `UID=ann, ${BASE}`, username: undefined }])).length, 50)
})

test('the short name of a group has the signs that its entire name escapes', () => {
  for (const [name, short] of [
    ['cn=caf\\C3\\A9 \\23,dc=x', 'café #'],
    ['cn=a\\,b\\+c,dc=x', 'a,b+c'],
    ['cn=a\\\\c3,dc=x', 'a\\c3'],
  ] as const)
    assert.equal(firstValue(name), short)
})
