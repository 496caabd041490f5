import assert from 'node:assert/strict'
import test from 'node:test'
import { startPolling } from '../../src/core/mail/receiving/poll.ts'
import { getMessages } from '../../src/index.ts'
import { parseImapUrl } from '../../src/network/mail/imap-server.ts'
import { eventually } from '../eventually.ts'
import { imapServer } from '../mail/receiving/imap-server.ts'
import { write } from '../mail/receiving/in-world.ts'
import { cluster, needsServer } from './nodes.ts'

test('one of several nodes reads the mailbox, and another one takes over', needsServer, async () => {
  await using mailbox = await imapServer()
  const mailIn = { address: '%s@chat.example.com' }
  await using c = await cluster(2, { chat: { publicUrl: 'https://chat.example.com', mailIn } })
  const { email } = await c.w.people.hamlet.api.get(`/streams/${await c.w.streamId('general')}/email_address`)
  const pollers = c.nodes.map((node) => startPolling(node, parseImapUrl(mailbox.url)))
  const mails = ['first', 'second'].map((subject) => ({
    subject,
    raw: write({ to: email, subject, 'message-id': `<${subject}@x.example>` }),
  }))
  const isSeen = ({ flags }: { flags: Set<string> }) => flags.has('\\Seen')
  const first = mailbox.arrives(mails[0]!.raw)
  await eventually('the first is read', () => isSeen(first))
  for (let i = 0; i < 5; i++) c.w.clock.advance(60_000)
  assert.equal(mailbox.state.connections, 1)
  await pollers[0]!.close()
  await c.nodes[0]!.close()
  const second = mailbox.arrives(mails[1]!.raw)
  await eventually('the other node reads', () => {
    c.w.clock.advance(60_000)
    return isSeen(second)
  })
  await pollers[1]!.close()
  const hamlet = await c.at(1, 'hamlet')
  const { messages } = await getMessages(hamlet, { anchor: 'newest', num_before: 100, num_after: 0 })
  const subjects = messages.map(({ subject }) => subject).filter((subject) => ['first', 'second'].includes(subject))
  assert.deepEqual(subjects, ['first', 'second'])
})
