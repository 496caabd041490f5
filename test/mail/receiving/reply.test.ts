import assert from 'node:assert/strict'
import test from 'node:test'
import { deactivateUser, deleteMessage, reactivateUser } from '../../../src/index.ts'
import { failure, mailWorld } from '../mail-world.ts'
import { kindOf, mailInWorld } from './in-world.ts'

const DAY_MS = 86_400_000

test('an answer to a missed-message email is posted in the conversation', async () => {
  await using m = await mailInWorld()
  const { hamlet, cordelia } = m
  const to = await m.replyAddress('hamlet', () => cordelia.says('Are you there, @**hamlet**?', { topic: 'ghosts' }))
  assert.match(to, /^mm[0-9a-f]{32}@chat\.example\.com$/)
  const body = `Yes, and *you*?\n\nOn Mon, Jan 5, 2026 at 3:04 PM Chat <chat@example.com> wrote:\n> Are you there`
  assert.equal(kindOf(await m.arrives(to, { from: `"Prince" <${hamlet.email}>`, body })), 'posted')
  const { content, subject, sender_id, client, flags } = await m.newest('hamlet')
  assert.deepEqual(
    [content, subject, sender_id, client, flags.includes('read')],
    ['Yes, and *you*?', 'ghosts', hamlet.id, 'email', true],
  )
})

test('an answer to a direct message reaches its participants only', async () => {
  await using m = await mailInWorld()
  const { hamlet, cordelia, iago } = m
  const to = await m.replyAddress('hamlet', () => cordelia.says('psst', { people: [hamlet, iago] }))
  assert.equal(kindOf(await m.arrives(to, { from: hamlet.email, body: 'what?' })), 'posted')
  const message = await m.newest('cordelia')
  assert.equal(message.content, 'what?')
  const ids = message.display_recipient.map(({ id }: { id: number }) => id).toSorted()
  assert.deepEqual(ids, [hamlet.id, cordelia.id, iago.id].toSorted())
  assert.notEqual((await m.newest('polonius'))?.content, 'what?')
})

test('only the receiver of the email can answer it', async () => {
  await using m = await mailInWorld()
  const { hamlet, cordelia } = m
  const to = await m.replyAddress('hamlet', () => cordelia.says('psst', { people: [hamlet] }))
  const [name, domain] = hamlet.email.split('@')
  const forgeries: Record<string, string>[] = [
    { from: cordelia.email },
    { from: `"${hamlet.email}" <${cordelia.email}>` },
    { from: `${hamlet.email}, ${cordelia.email}` },
    { from: '' },
    { from: 'undisclosed:;' },
    // Letters that look like the right ones, or that other foldings turn into them.
    { from: `${name}@${domain!.replace('a', '\u0430')}` },
    { from: `${name!.replace('m', '\u217f')}@${domain}` },
    { from: hamlet.email, 'authentication-results': 'mx.example.com; spf=pass; dmarc=fail (p=none) header.from=x' },
    { from: cordelia.email, sender: hamlet.email, 'reply-to': hamlet.email },
  ]
  for (const headers of forgeries) {
    assert.equal(kindOf(await m.arrives(to, { ...headers, body: 'not mine' })), 'reported', JSON.stringify(headers))
    m.w.clock.advance(61_000)
  }
  assert.notEqual((await m.newest('cordelia')).content, 'not mine')
  const notice = await m.newest('hamlet')
  assert.equal(notice.sender_full_name, 'Notification Bot')
  assert.match(
    notice.content,
    /^An email from `cordelia@.*` with the subject `News` was not posted: it was not sent from/,
  )
  const twice = `${hamlet.email}\r\nFrom: ${cordelia.email}`
  assert.equal(kindOf(await m.arrives(to, { from: twice })), 'reported')
  assert.equal(kindOf(await m.arrives(to, { from: hamlet.email.toUpperCase() })), 'posted')
})

test('an address ends after 30 days, and with its account', async () => {
  await using m = await mailInWorld()
  const { hamlet, cordelia, iago } = m
  const mail = { from: hamlet.email }
  const first = await m.replyAddress('hamlet', () => cordelia.says('psst', { people: [hamlet] }))
  m.w.clock.advance(29 * DAY_MS)
  assert.equal(kindOf(await m.arrives(first, mail)), 'posted')
  const second = await m.replyAddress('hamlet', () => iago.says('psst', { people: [hamlet] }))
  assert.notEqual(second, first)
  m.w.clock.advance(DAY_MS)
  assert.equal(kindOf(await m.arrives(first, mail)), '550 5.1.1')
  assert.equal(kindOf(await m.arrives(second, mail)), 'posted')
  await deactivateUser(iago, { user_id: hamlet.id })
  assert.equal(kindOf(await m.arrives(second, mail)), '550 5.1.1')
  await reactivateUser(iago, { user_id: hamlet.id })
  assert.equal(kindOf(await m.arrives(second, mail)), '550 5.1.1')
})

test('a person who may not post anymore gets the reason', async () => {
  await using m = await mailInWorld()
  const { hamlet, cordelia, iago } = m
  const to = await m.replyAddress('hamlet', () => cordelia.says('Hey @**hamlet**', { topic: 'ghosts' }))
  const admins = await m.w.groupId('role:administrators')
  const path = `/streams/${await m.w.streamId('general')}`
  await iago.api.patch(path, { can_send_message_group: { new: admins } })
  assert.equal(kindOf(await m.arrives(to, { from: hamlet.email, subject: '`a`\u202e b' })), 'reported')
  const { content } = await m.newest('hamlet')
  assert.equal(
    content,
    `An email from \`${hamlet.email}\` with the subject \`'a' b\` was not posted: You do not have permission to post in this stream.`,
  )
})

test('an answer follows its message to another topic, and stays if the message was deleted', async () => {
  await using m = await mailInWorld()
  const { hamlet, cordelia, iago } = m
  const to = await m.replyAddress('hamlet', () => cordelia.says('Hey @**hamlet**', { topic: 'ghosts' }))
  const { id } = await m.newest('hamlet')
  await iago.api.patch(`/messages/${id}`, { topic: 'spirits', propagate_mode: 'change_one' })
  await m.arrives(to, { from: hamlet.email })
  assert.equal((await m.newest('hamlet')).subject, 'spirits')
  const other = await m.replyAddress('hamlet', () => cordelia.says('And @**hamlet**', { topic: 'plays' }))
  const second = await m.newest('hamlet')
  await cordelia.says('else', { topic: 'plays' })
  await deleteMessage(iago, { message_id: second.id })
  await m.arrives(other, { from: hamlet.email })
  assert.equal((await m.newest('hamlet')).subject, 'plays')
})

test('a message that was moved out of reach reveals nothing', async () => {
  await using m = await mailInWorld()
  const { hamlet, cordelia, iago } = m
  const to = await m.replyAddress('hamlet', () => cordelia.says('Hey @**hamlet**', { topic: 'ghosts' }))
  const { id } = await m.newest('hamlet')
  await iago.api.post('/users/me/subscriptions', { subscriptions: [{ name: 'secrets' }], invite_only: true })
  await iago.api.patch(`/messages/${id}`, { stream_id: await m.w.streamId('secrets'), propagate_mode: 'change_one' })
  assert.equal(kindOf(await m.arrives(to, { from: hamlet.email })), 'reported')
  const { content } = await m.newest('hamlet')
  assert.ok(!content.includes('secrets'), content)
})

test('an email that is sent twice has the same address', async () => {
  await using m = await mailInWorld()
  const seen: (string | undefined)[] = []
  m.server(({ headers }) => {
    seen.push(headers['reply-to'])
    if (seen.length < 2) throw failure('recipient', '451 4.7.1 try later')
  })
  await m.cordelia.says('psst', { people: [m.hamlet] })
  await m.after(120)
  await m.after(60)
  const [mail] = await m.sent()
  assert.equal(seen.length, 2)
  assert.equal(seen[0], seen[1])
  assert.match(mail!.text, /Reply to it to answer in the chat\./)
})

test('without incoming email, emails have no address to answer', async () => {
  await using m = await mailWorld()
  await m.cordelia.says('psst', { people: [m.hamlet] })
  await m.after(120)
  const [mail] = await m.sent()
  assert.equal(mail!.headers['reply-to'], undefined)
  assert.match(mail!.text, /Replies to it aren't read\./)
})
