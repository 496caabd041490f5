import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import test from 'node:test'
import { fakeDirectory } from '../sign-on/fake-directory.ts'
import { BASE, person, reader } from '../sign-on/ldap-scene.ts'
import { command, serve, WorkingFolder } from './in-process.ts'

test('ldap sync works through the running server, and without it with the file', async () => {
  using _ = new WorkingFolder()
  const bound = { dn: reader.bind_dn, password: reader.bind_password, attributes: {} }
  await using directory = await fakeDirectory([bound, person('ann'), person('bob')])
  const ldap = { url: directory.url, base: BASE, create: 'allowed_domains', ...reader }
  writeFileSync('sign-on.json', JSON.stringify({ providers: [], ldap }))
  await command(['init', '--org', 'Elsinore', '--owner-email', 'o@example.com', '--owner-name', 'Ophelia'])
  {
    await using server = await serve(['--port', '0', '--sign-on', 'sign-on.json'])
    const body = new URLSearchParams({ username: 'ann', password: "ann's horse" })
    const signedIn = await fetch(`${server.url}/api/v1/fetch_api_key`, { method: 'POST', body })
    assert.equal(signedIn.status, 200)
    const through = await command(['ldap', 'sync', '--dry-run'])
    assert.deepEqual([through.code, through.err], [0, ''])
    assert.match(through.out, /^2 people in the directory, 1 accounts that belong to one\nNobody would be deactivated/)
  }
  directory.fake.entries.splice(1, 1)
  const without = await command(['ldap', 'sync'])
  assert.match(without.err, /has no member "ldap"\. Name the file with --sign-on/)
  const dry = await command(['ldap', 'sync', '--dry-run', '--sign-on', 'sign-on.json'])
  assert.match(dry.out, /^would be deactivated +\d+ +Ann Lee +absent$/m)
  const done = await command(['ldap', 'sync', '--json', '--sign-on', 'sign-on.json'])
  assert.equal(JSON.parse(done.out).changes[0].change, 'deactivate')
  const { out } = await command(['user', 'list'])
  assert.match(out, /ann@example\.com.*deactivated/)
})
