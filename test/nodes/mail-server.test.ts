import assert from 'node:assert/strict'
import test from 'node:test'
import { contextOf } from '../../src/core/kernel/context.ts'
import { sendsMail } from '../../src/core/mail/mail-service.ts'
import { mailWorkerOf } from '../../src/core/messages/send/message-workers.ts'
import { removeMailServer, sendInvites, setMailServer } from '../../src/index.ts'
import { PASSWORD } from '../../src/testing/person.ts'
import { eventually } from '../eventually.ts'
import { mailSink } from '../mail/sink.ts'
import { cluster, needsServer } from './nodes.ts'

test('another node sends through a mail server of the page, and stops, without a restart', needsServer, async () => {
  await using sink = await mailSink()
  const chat = { publicUrl: 'https://chat.example.com', outgoing: { allowPrivate: true } }
  await using c = await cluster(2, { chat })
  const iago = await c.at(1, 'iago')
  const there = (node: number) => sendsMail(contextOf(c.nodes[node]!))
  const server = { host: '127.0.0.1', port: sink.port, security: 'none', from: 'chat@example.com' } as const
  const confirmed = { account_password: PASSWORD }
  await setMailServer(iago, { ...server, ...confirmed })
  await eventually('the leader knows it', () => there(0))
  await sendInvites(iago, { invitee_emails: 'ann@example.org', stream_ids: [] })
  await eventually('the email arrives', () => sink.mails.length === 1)
  await removeMailServer(await c.at(0, 'iago'), confirmed)
  await eventually('the other node sends no email', async () => !(await there(1)))
  for (const node of c.nodes) await mailWorkerOf(node).settled()
  assert.equal(sink.mails.length, 1)
})
