// `npm run test:directory` signs people in with OpenLDAP's own server, and synchronizes 2,000 of them.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { Client } from 'ldapts'
import { runCommand } from '../../src/admin/commands.ts'
import { openDirectory } from '../../src/network/ldap/directory.ts'
import type { LdapServer } from '../../src/network/ldap/ldap-server.ts'
import { apiOf, world } from '../../src/testing/index.ts'
import { certificate } from '../../test/mail/certificate.ts'
import { BASE, findSlapd, READER, type Slapd, startSlapd } from './slapd.ts'

const PEOPLE = `ou=people,${BASE}`
const GROUPS = `ou=groups,${BASE}`
const COUNT = 2000
const attributes = { subject: 'entryUUID', username: 'uid', email: 'mail', name: 'cn', groups: 'memberOf' }

const entry = (dn: string, classes: string, more: Record<string, string | string[]>) =>
  [
    `dn: ${dn}`,
    ...classes.split(' ').map((name) => `objectClass: ${name}`),
    ...Object.entries(more).flatMap(([name, values]) => [values].flat().map((value) => `${name}: ${value}`)),
  ].join('\n')
const person = (uid: string) =>
  entry(`uid=${uid},${PEOPLE}`, 'inetOrgPerson', {
    uid,
    cn: `Person ${uid}`,
    sn: uid,
    mail: `${uid}@example.com`,
    userPassword: `${uid}'s horse`,
  })
const group = (cn: string, member: string[]) => entry(`cn=${cn},${GROUPS}`, 'groupOfNames', { cn, member })

const ldif = [
  entry(BASE, 'dcObject organization', { o: 'Example' }),
  entry(READER.dn, 'organizationalRole simpleSecurityObject', { userPassword: READER.password }),
  entry(PEOPLE, 'organizationalUnit', {}),
  entry(GROUPS, 'organizationalUnit', {}),
  // Another directory, which must not be asked.
  entry(`ou=elsewhere,${PEOPLE}`, 'referral extensibleObject', { ref: 'ldap://127.0.0.1:9/ou=elsewhere' }),
  ...Array.from({ length: COUNT }, (_, i) => person(`p${i}`)),
  group('team', [`uid=p1,${PEOPLE}`]),
  group('staff', [`cn=team,${GROUPS}`, `cn=ring,${GROUPS}`]),
  group('ring', [`cn=staff,${GROUPS}`]),
].join('\n\n')

const hostile = ['*', 'p*', '*)(objectClass=*', 'p1)(|(uid=*', '\\2a', 'p1\0', '*)(|(uid=*))(&(uid=p1', '', ' ']

async function checkDirectory({ port, securePort }: Slapd): Promise<void> {
  const over = (server: Partial<LdapServer> = {}, more: object = {}) =>
    openDirectory({
      server: { host: '127.0.0.1', port, tls: 'starttls', ca: certificate, ...server },
      reader: READER,
      user_dn: undefined,
      base: PEOPLE,
      filter: '(objectClass=person)',
      attributes,
      groups: { base: GROUPS, filter: '(objectClass=groupOfNames)' },
      ...more,
    })
  for (const directory of [
    over(),
    over({ tls: 'ldaps', port: securePort }),
    over({ host: 'localhost' }),
    over({}, { user_dn: `uid={username},${PEOPLE}` }),
    over({}, { reader: undefined }),
  ]) {
    const found = await directory.prove('p1', "p1's horse")
    assert.equal(found?.email, 'p1@example.com')
    assert.deepEqual(found.groups.map(({ name }) => name).toSorted(), ['ring', 'staff', 'team'])
    for (const password of ['wrong horse', '']) assert.equal(await directory.prove('p1', password), undefined)
    for (const name of hostile) assert.equal(await directory.prove(name, "p1's horse"), undefined)
  }
  await assert.rejects(over({ ca: undefined }).prove('p1', "p1's horse"), /SELF_SIGNED/)
  await assert.rejects(over({ tls: 'ldaps', port: securePort, ca: undefined }).prove('p1', 'x'), /SELF_SIGNED/)
  await assert.rejects(over({ host: '127.1' }).prove('p1', "p1's horse"), /CERT/)
  await assert.rejects(over({}, { base: 'dc=nowhere' }).people(), /NoSuchObject/)
  await assert.rejects(
    over({}, { reader: { ...READER, password: 'x' } }).people(),
    /rejected the password of "bind_dn"/,
  )
  // The limit of the directory for everybody else.
  await assert.rejects(over({}, { reader: undefined }).people(), /SizeLimitExceeded/)
  assert.equal((await over().people()).length, COUNT)
  console.log('ok  slapd: StartTLS, LDAPS, bind as a person, injection, empty passwords, groups, limits, referrals')
}

async function checkSync({ port, process: child }: Slapd): Promise<void> {
  const config = {
    providers: [],
    ldap: {
      url: `ldap://127.0.0.1:${port}`,
      base: PEOPLE,
      bind_dn: READER.dn,
      bind_password: READER.password,
      create: 'allowed_domains',
    },
  }
  await using w = await world({ chat: { publicUrl: 'https://chat.example.com', signOn: { config } } })
  const api = apiOf(w.chat)
  const signIn = (name: string, uid = name) =>
    api.post('/fetch_api_key', { username: name, password: `${uid}'s horse` })
  const { user_id } = await signIn('p1')
  for (let i = 2; i < 10; i++) await signIn(`p${i}`)
  const sync = () => runCommand(w.chat, 'syncLdap', {}, () => {})
  const began = performance.now()
  assert.deepEqual((await sync()).changes, [])
  const took = performance.now() - began

  assert.equal((await signIn('p1@example.com', 'p1')).user_id, user_id)
  child.kill('SIGKILL')
  await once(child, 'exit')
  await assert.rejects(sync(), /Nothing was changed: .*ECONNREFUSED/)
  const failed = await signIn('p1')
  assert.deepEqual([failed.status, failed.code], [400, 'SIGN_ON_FAILED'])
  console.log(`ok  slapd: a sync with ${COUNT} people in ${took.toFixed(0)} ms, and a killed directory`)
}

async function answers({ port }: Slapd): Promise<void> {
  for (let tries = 0; ; tries++) {
    const client = new Client({ url: `ldap://127.0.0.1:${port}`, timeout: 1000, connectTimeout: 1000 })
    try {
      await client.bind(READER.dn, READER.password)
      return await client.unbind()
    } catch (error) {
      if (tries === 100) throw error
      await pause(100)
    }
  }
}

const program = findSlapd()
if (program) {
  const folder = mkdtempSync(join(tmpdir(), 'chat-server-slapd-'))
  const slapd = await startSlapd(program, folder, ldif)
  try {
    await answers(slapd)
    await checkDirectory(slapd)
    await checkSync(slapd)
  } finally {
    slapd.process.kill('SIGKILL')
    rmSync(folder, { recursive: true, force: true })
  }
} else {
  console.log('SKIPPED: slapd is not installed, and apt-get cannot fetch it here')
  // In CI, a missing program is a failure.
  if (process.env.CI) process.exitCode = 1
}
