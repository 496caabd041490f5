import assert from 'node:assert/strict'
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import test from 'node:test'
import { copyOfCommand } from './bundled.ts'
import { command, serve, WorkingFolder } from './in-process.ts'
import { run, start } from './running.ts'

const init = ['init', '--org', 'Elsinore', '--owner-email', 'o@example.com', '--owner-name', 'Owner']

test('org deactivate closes and org reactivate opens the organization, served or not', async () => {
  using _ = new WorkingFolder()
  await command(init)
  const off = await command(['org', 'deactivate'])
  assert.deepEqual([off.code, off.err], [0, ''])
  assert.match(off.out, /org reactivate" to reopen it/)
  const refused = await command(['user', 'list'])
  assert.deepEqual([refused.code, refused.out], [1, ''])
  assert.match(refused.err, /has been deactivated. To reopen it, run "chat-server org reactivate"$/m)
  await using server = await serve(['--port', '0'])
  assert.match(server.warnings()[0]!.msg, /the organization is deactivated/)
  const signIn = () => fetch(`${server.url}/api/v1/users/me`, { headers: { authorization: `Basic ${btoa('o:x')}` } })
  assert.equal((await signIn()).status, 401)
  const doctor = await command(['doctor'])
  assert.deepEqual([doctor.code, doctor.err], [0, ''])
  assert.match(
    doctor.out,
    /^ok +organization: deactivated since \d{4}-.*; to reopen it, run "chat-server org reactivate/m,
  )
  const on = await command(['org', 'reactivate', '--json'])
  assert.deepEqual([on.code, JSON.parse(on.out)], [0, { reactivated: true }])
  assert.equal((await command(['org', 'set', 'name', 'Wittenberg'])).out, 'name "Wittenberg"\n')
  assert.match((await command(['doctor'])).out, /^ok +organization: active$/m)
  assert.match((await command(['org', 'reactivate'])).err, /isn't deactivated/)
})

test('serves without an admin socket and logs a warning', async () => {
  using folder = new WorkingFolder()
  // In a folder that others may write to the socket would be among temporary files.
  chmodSync(folder.path, 0o777)
  await using server = await serve(['--port', '0'], { TMPDIR: join(folder.path, 'nowhere') })
  assert.match(server.warnings()[0]!.msg, /^chat-server user, org and backup cannot reach this server: ENOENT/)
  assert.equal((await fetch(`${server.url}/health/ready`)).status, 200)
  assert.equal(await server.stop(), 0)
})

const stubs: [what: string, files: Record<string, string>, sentence: RegExp][] = [
  [
    'is not installed',
    { 'package.json': '{"exports":{}}' },
    /: the optional package sharp is not installed\. To add it, run: npm install/,
  ],
  [
    'does not work on this machine',
    { 'package.json': '{"main":"index.js"}', 'index.js': "throw new Error('no part for this machine\\nmore')" },
    /: the package sharp cannot be loaded \(no part for this machine\)\. To add it, run: npm install sharp/,
  ],
]

for (const [what, files, sentence] of stubs) {
  test(`when sharp ${what}, doctor and the log say so without failing`, async () => {
    using folder = new WorkingFolder()
    // Found by the command before the whole one.
    using copy = await copyOfCommand()
    const stub = join(copy.path, 'node_modules/sharp')
    mkdirSync(stub, { recursive: true })
    for (const [name, text] of Object.entries(files)) writeFileSync(join(stub, name), text)
    await command(init)
    const { code, out } = await run(folder, ['doctor'], {}, copy.file)
    assert.equal(code, 0)
    assert.match(/^ok +images: (.*)$/m.exec(out)![1]!, sentence)
    await using server = await start(folder, ['--port', '0'], {}, copy.file)
    // One that is there is loaded when the first image comes.
    if (what === 'is not installed') assert.match(server.warnings()[0]!.msg, sentence)
  })
}
