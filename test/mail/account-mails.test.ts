import assert from 'node:assert/strict'
import test from 'node:test'
import { rendered } from '../../src/core/mail/letter.ts'
import { readerIn } from '../../src/core/mail/reader.ts'
import { exporterOf } from '../../src/core/organization/exports/exporter.ts'
import { failure, linksIn, mailWorld } from './mail-world.ts'

test('an email tells of a deactivation if the administrator wants it, with their comment', async () => {
  await using m = await mailWorld()
  await m.iago.api.delete(`/users/${m.hamlet.id}`)
  await m.iago.api.delete(`/users/${m.cordelia.id}`, { deactivation_notification_comment: 'Thanks for <b>all</b>!' })
  const [mail, ...more] = await m.sent()
  assert.deepEqual([mail!.to.address, more], [m.cordelia.email, []])
  assert.equal(mail!.subject, 'Your account in Elsinore was deactivated')
  assert.match(mail!.text, /They wrote:\n\nThanks for <b>all<\/b>!/)
  assert.ok(mail!.html.includes('Thanks for &lt;b&gt;all&lt;/b&gt;!'))
  await m.iago.api.post(`/users/${m.cordelia.id}/reactivate`)
  assert.equal((await m.sent())[0]!.subject, 'Your account in Elsinore is active again')
})

test('an account that is active again gets no email about its deactivation', async () => {
  await using m = await mailWorld()
  m.server(() => Promise.reject(failure('connection', '')))
  await m.iago.api.delete(`/users/${m.hamlet.id}`, { deactivation_notification_comment: '' })
  // The first attempt has failed, so none is in progress.
  await m.settled()
  await m.iago.api.post(`/users/${m.hamlet.id}/reactivate`)
  m.server(() => {})
  await m.after(60)
  assert.deepEqual(
    (await m.sent()).map(({ subject }) => subject),
    ['Your account in Elsinore is active again'],
  )
})

test('an email says that an export is ready, without the link to it', async () => {
  await using m = await mailWorld()
  await m.iago.api.post('/export/realm', { export_type: 'public' })
  await exporterOf(m.w.chat).settled()
  const [mail] = await m.sent()
  assert.deepEqual([mail!.to.address, mail!.subject], [m.iago.email, 'The export of Elsinore is ready'])
  assert.deepEqual(linksIn(mail!), ['https://chat.example.com/#settings/exports'])
})

test('an email says that the export of the own data is ready', async () => {
  await using m = await mailWorld()
  await m.hamlet.api.post('/users/me/exports')
  await exporterOf(m.w.chat).settled()
  const [mail, ...more] = await m.sent()
  assert.deepEqual([mail!.to.address, mail!.subject], [m.hamlet.email, 'Your data from Elsinore is ready'])
  assert.deepEqual([linksIn(mail!), more], [['https://chat.example.com/#settings/account'], []])
})

test('names of people and organizations add no headers, lines or tags', async () => {
  await using m = await mailWorld()
  const names = [
    'Ann\u202egpj.exe',
    'Ann\u2066x\u2069',
    "Ann O'Neil & Söhne",
    'a<img src=x onerror=alert(1)',
    'Ann 中文 العربية',
    '= =?utf-8?q?x?=',
  ]
  for (const name of names) {
    await m.iago.api.patch('/realm', { name: name.slice(0, 40) })
    await m.iago.api.post('/invites', { invitee_emails: 'ann@example.org', stream_ids: [] })
    const [mail] = await m.sent()
    assert.doesNotMatch(mail!.subject, /[\r\n\u202a-\u202e\u2066-\u2069]/u)
    assert.ok(!mail!.html.includes('<img'), mail!.html)
  }
})

test('subjects are one line of at most 200 characters, whatever they are made of', async () => {
  const reader = await readerIn('en')
  const control = Array.from({ length: 32 }, (_, i) => String.fromCharCode(i)).join('')
  for (let i = 0; i < 500; i++) {
    const hostile = `${'x'.repeat(i)}\r\nBcc: eve@example.com${control}\u2028\u2029\u0085\u202e<b>${'😀'.repeat(i)}`
    const parts = [{ text: hostile }, { button: hostile, url: `https://x/"><script>${i}` }]
    const { subject, html } = rendered({ subject: hostile, parts }, reader)
    assert.doesNotMatch(subject, /[\p{Cc}\u2028\u2029\u202e]/u)
    assert.ok([...subject].length <= 200)
    assert.ok(!html.includes('<b>') && !html.includes('<script>'))
  }
})
