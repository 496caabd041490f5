import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import test from 'node:test'
import { runCommand } from '../../../src/admin/commands.ts'
import { storeOf } from '../../../src/core/kernel/store.ts'
import { deactivateOrganization } from '../../../src/core/organization/deactivate.ts'
import { eventually } from '../../eventually.ts'
import { TemporaryFolder } from '../../temporary-folder.ts'
import { certificate } from '../certificate.ts'
import { write } from './in-world.ts'
import { isSeen, mailboxScene, sources } from './mailbox-scene.ts'

test('posts the unread email of a mailbox and what arrives, and marks it as read', async () => {
  await using s = await mailboxScene()
  const to = await s.addressOf('hamlet')
  const first = s.mailbox.arrives(write({ to, subject: 'waits', 'message-id': '<1@x.example>' }))
  const known = s.mailbox.arrives(write({ to, subject: 'known' }))
  known.flags.add('\\Seen')
  s.start()
  await s.posted('waits')
  await eventually('it is marked', () => isSeen(first))
  await s.mailbox.waits()
  // No time passes, because the server announces it.
  const second = s.mailbox.arrives(write({ to, subject: 'arrives', 'message-id': '<2@x.example>' }))
  await s.posted('arrives')
  await eventually('it is marked', () => isSeen(second))
  assert.deepEqual(s.rejected(), [])
  assert.ok(!(await s.subjects()).includes('known'))
  assert.equal(s.mailbox.state.connections, 1)
  assert.deepEqual(await s.health(), { failure: null, since: null })
})

test('looks every minute if the server announces nothing', async () => {
  await using s = await mailboxScene({ idle: false })
  const to = await s.addressOf('hamlet')
  s.start()
  await eventually('it looks', () => s.mailbox.looks() > 0)
  s.mailbox.arrives(write({ to, subject: 'polled' }))
  await s.later('it is posted', async () => (await s.subjects()).includes('polled'))
  assert.ok(!s.mailbox.state.commands.includes('IDLE'))
})

test('finds the recipient in the headers of the delivery, and else in the ones of the sender', async () => {
  await using s = await mailboxScene()
  const to = await s.addressOf('hamlet')
  const other = await s.addressOf('cordelia')
  const old = `${'0'.repeat(32)}@chat.example.com`
  const mails = {
    delivered: { to: old, 'delivered-to': to },
    folded: { to: `"Ann, \\"the\\" Lee" <ann@x.example>,\r\n  General <${to}>` },
    copied: { to: 'ann@x.example', cc: `bob@x.example, ${to}` },
    both: { to: `${to}, ${other}, ${old}` },
  }
  for (const [subject, headers] of Object.entries(mails))
    s.mailbox.arrives(write({ subject, 'message-id': `<${subject}@x.example>`, ...headers }))
  s.start()
  for (const subject of Object.keys(mails)) await s.posted(subject)
  await s.mailbox.waits()
  assert.deepEqual(s.rejected(), [])
  assert.equal((await s.subjects()).filter((subject) => subject === 'both').length, 2)
})

test('moves what is rejected for good to a folder of its own, and doesn’t read what is too large', async () => {
  await using s = await mailboxScene()
  const to = await s.addressOf('hamlet')
  const unknown = s.mailbox.arrives(write({ to: 'chat@example.com', subject: 'spam' }))
  const ended = s.mailbox.arrives(write({ to: `mm${'0'.repeat(32)}@chat.example.com` }))
  const damaged = s.mailbox.arrives(write({ to, 'x-long': 'y'.repeat(300_000) }))
  const large = s.mailbox.arrives(write({ to, body: 'x'.repeat(25 * 1024 * 1024 + 1) }))
  s.start()
  const rejections = () => s.log.filter(({ message }) => message.includes('was rejected'))
  await eventually('all are moved', () => rejections().length === 4)
  assert.deepEqual(
    s.rejected(),
    [unknown, ended, damaged, large].map(({ uid }) => uid),
  )
  assert.equal(sources(s.mailbox), 1)
  assert.deepEqual(
    rejections().map(({ details }) => details),
    [
      { uid: unknown.uid, status: '5.1.1' },
      { uid: ended.uid, status: '5.1.1' },
      { uid: damaged.uid, status: '5.6.0' },
      { uid: large.uid, status: '5.3.4' },
    ],
  )
})

test('marks a rejected email where no folder can be created, and copies it where none can be moved', async () => {
  await using s = await mailboxScene()
  s.mailbox.state.canMove = false
  const copied = s.mailbox.arrives(write({ subject: 'one' }))
  s.start()
  await eventually(
    'it is copied',
    () => s.rejected().length === 1 && !s.mailbox.state.folders.get('INBOX')!.includes(copied),
  )
  await s.mailbox.waits()
  s.mailbox.state.folders.delete('Rejected')
  s.mailbox.state.canCreate = false
  const marked = s.mailbox.arrives(write({ subject: 'two' }))
  await eventually('it is marked', () => isSeen(marked))
})

test('an email whose mark was lost is not posted twice', async () => {
  await using s = await mailboxScene()
  const to = await s.addressOf('hamlet')
  let lost = 0
  s.mailbox.state.misbehaves = (command, socket) => {
    if (!command.includes('STORE') || lost++ > 0) return undefined
    socket.destroy()
    return 'nothing'
  }
  const mail = s.mailbox.arrives(write({ to, subject: 'once', 'message-id': '<1@x.example>' }))
  // Without an ID, its content says that it is the same.
  const unnamed = s.mailbox.arrives(write({ to, subject: 'unnamed' }).replace(/^message-id:.*\r\n/im, ''))
  s.start()
  await s.later('both are marked', () => isSeen(mail) && isSeen(unnamed))
  assert.equal(lost, 3)
  for (const subject of ['once', 'unnamed'])
    assert.equal((await s.subjects()).filter((each) => each === subject).length, 1, subject)
})

test('leaves email in the mailbox while too much arrives for its address', async () => {
  await using s = await mailboxScene()
  const to = await s.addressOf('hamlet')
  const other = await s.addressOf('cordelia')
  for (let i = 0; i < 20; i++) await s.arrives(to)
  const waits = [1, 2].map((i) => s.mailbox.arrives(write({ to, subject: `waits ${i}` })))
  const passes = s.mailbox.arrives(write({ to: other, subject: 'passes' }))
  s.start()
  await eventually('the other address takes email', () => isSeen(passes))
  assert.ok(!waits.some(isSeen))
  assert.deepEqual([sources(s.mailbox), s.rejected()], [1, []])
  await s.later('they are posted', () => waits.every(isSeen))
})

test('reads nothing while the organization is deactivated', async () => {
  await using s = await mailboxScene()
  const to = await s.addressOf('hamlet')
  s.start()
  await s.mailbox.waits()
  await deactivateOrganization(s.iago)
  const mail = s.mailbox.arrives(write({ to, subject: 'closed' }))
  await eventually('the connection ends', () => s.mailbox.open() === 0)
  assert.deepEqual([isSeen(mail), s.rejected()], [false, []])
  await runCommand(s.w.chat, 'reactivateOrg', {}, () => {})
  await s.later('it is posted', () => isSeen(mail))
  assert.deepEqual(s.rejected(), [])
})

test('connects again after the server has ended the connection', async () => {
  await using s = await mailboxScene()
  const to = await s.addressOf('hamlet')
  s.start()
  await s.mailbox.waits()
  s.mailbox.drop()
  s.mailbox.arrives(write({ to, subject: 'after' }))
  await s.later('it is posted', async () => (await s.subjects()).includes('after'))
  assert.deepEqual(
    s.log.filter(({ level }) => level !== 'info'),
    [],
  )
})

test('encrypts the connection with STARTTLS and a certificate of its own', async () => {
  await using s = await mailboxScene()
  using folder = new TemporaryFolder()
  const ca = join(folder.path, 'ca.pem')
  writeFileSync(ca, certificate)
  const to = await s.addressOf('hamlet')
  s.mailbox.arrives(write({ to, subject: 'sealed' }))
  s.start({}, s.mailbox.url.replace('tls=none', `ca=${encodeURIComponent(ca)}&tls=required`))
  await s.posted('sealed')
  assert.ok(s.mailbox.state.commands.includes('STARTTLS'))
})

test('emails that can not be accepted now hide no others, however many they are', async () => {
  await using s = await mailboxScene({ idle: false })
  const to = await s.addressOf('hamlet')
  const arrives = (subject: string, address = to) =>
    s.mailbox.arrives(write({ to: address, subject, 'message-id': `<${subject}@x.example>` }))
  arrives('first')
  s.start({ most: 3 })
  await s.posted('first')
  // More than the address may get in a minute, however late it is.
  await storeOf(s.w.chat).write(async ({ db }) => {
    const row = await db.selectFrom('mail_received').selectAll().executeTakeFirstOrThrow()
    for (let i = 0; i < 25; i++)
      await db
        .insertInto('mail_received')
        .values({ ...row, digest: `other ${i}`, message_id: null, received_at: row.received_at + 86_400 })
        .execute()
  })
  const flood = ['a', 'b', 'c', 'd', 'e', 'f'].map((subject) => arrives(subject))
  const other = arrives('other', await s.addressOf('cordelia'))
  const looks = s.mailbox.looks()
  await s.later('the other is read', () => isSeen(other) || s.mailbox.looks() > looks + 20)
  assert.deepEqual([isSeen(other), flood.some(isSeen)], [true, false])
})

test('an email that one of its recipients can not take yet is not read again before it can', async () => {
  await using s = await mailboxScene({ idle: false })
  const [to, other] = [await s.addressOf('hamlet'), await s.addressOf('cordelia')]
  s.mailbox.arrives(write({ to, subject: 'first' }))
  s.start()
  await s.posted('first')
  // More than the address may get in a minute, however late it is.
  await storeOf(s.w.chat).write(async ({ db }) => {
    const row = await db.selectFrom('mail_received').selectAll().executeTakeFirstOrThrow()
    for (let i = 0; i < 25; i++)
      await db
        .insertInto('mail_received')
        .values({ ...row, digest: `other ${i}`, message_id: null, received_at: row.received_at + 86_400 })
        .execute()
  })
  const read = sources(s.mailbox)
  const both = s.mailbox.arrives(write({ to: `${to}, ${other}`, subject: 'both', 'message-id': '<both@x.example>' }))
  await s.later('one recipient has it', async () => (await s.subjects()).includes('both'))
  const looks = s.mailbox.looks()
  await s.later('it looks again', () => s.mailbox.looks() > looks + 5)
  assert.deepEqual([sources(s.mailbox) - read, isSeen(both)], [1, false])
  await storeOf(s.w.chat).write(({ db }) => db.updateTable('mail_received').set({ received_at: 0 }).execute())
  await s.later('the other recipient has it', () => isSeen(both))
  assert.equal(sources(s.mailbox) - read, 2)
  assert.equal((await s.subjects()).filter((subject) => subject === 'both').length, 2)
})
