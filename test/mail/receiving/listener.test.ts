// cspell:ignore LHLO EHLO VRFY EXPN RSET
import assert from 'node:assert/strict'
import test from 'node:test'
import { startMailIn } from '../../../src/core/mail/receiving/listen.ts'
import { parseListenAddress } from '../../../src/network/mail/mail-listener.ts'
import { onlyOnSqlite } from '../../dialect.ts'
import { dialogue } from './dialogue.ts'
import { mailInWorld, write } from './in-world.ts'

async function listening(protocol: 'smtp' | 'lmtp' = 'lmtp') {
  const m = await mailInWorld()
  const listener = await startMailIn(m.w.chat, { protocol, host: '127.0.0.1', port: 0 })
  return {
    ...m,
    listener,
    async [Symbol.asyncDispose]() {
      await listener.close()
      await m[Symbol.asyncDispose]()
    },
  }
}
const codes = (replies: readonly string[]) => replies.map((reply) => reply.slice(0, 10).trim())

test('acknowledges an email for each of its recipients when it is posted', async () => {
  await using m = await listening()
  const to = [await m.addressOf('hamlet'), await m.addressOf('cordelia')]
  using client = await dialogue(m.listener.port)
  assert.match(client.greeting, /^220 chat\.example\.com LMTP/)
  const raw = write({ 'message-id': '<1@elsewhere.example>', subject: 'Dots', body: '.one\r\n..two\r\nend' })
  assert.deepEqual(await client.deliver(to, raw), ['250 Accepted', '250 Accepted', '250 2.0.0 OK', '250 2.0.0 OK'])
  const { content, subject } = await m.newest('hamlet')
  assert.deepEqual([content, subject], ['.one\n..two\nend', 'Dots'])
  // The mail server repeats an email whose acknowledgment it lost.
  assert.deepEqual(codes((await client.deliver(to, raw)).slice(2)), ['250 2.0.0', '250 2.0.0'])
  const { messages } = await m.hamlet.api.get('/messages', { anchor: 'newest', num_before: 50, num_after: 0 })
  assert.equal(messages.filter((message: { subject: string }) => message.subject === 'Dots').length, 2)
})

test('rejects in the dialogue, so that no mail server writes to a stranger', async () => {
  await using m = await listening('smtp')
  const to = await m.addressOf('hamlet')
  using client = await dialogue(m.listener.port)
  await client.say('EHLO client.example')
  assert.match(await client.say('MAIL FROM:<a@b.example> SIZE=30000000'), /^552/)
  await client.say('MAIL FROM:<a@b.example>')
  for (const unknown of [
    'nobody@chat.example.com',
    `${'0'.repeat(32)}@chat.example.com`,
    `mm${'0'.repeat(32)}@x.example`,
  ])
    assert.match(await client.say(`RCPT TO:<${unknown}>`), /^550 5\.1\.1 Unknown recipient/)
  await m.iago.api.delete(`/streams/${await m.w.streamId('general')}`)
  assert.match(await client.say(`RCPT TO:<${to}>`), /^550 5\.7\.1/)
  for (const refused of ['AUTH PLAIN', 'STARTTLS', 'VRFY root', 'EXPN staff', 'LHLO x'])
    assert.match(await client.say(refused), /^(5|252)/)
})

test('rejects an email that is larger than it said, and reads the next one', async () => {
  await using m = await listening()
  const to = await m.addressOf('hamlet')
  using client = await dialogue(m.listener.port)
  const large = await client.deliver([to], write({ body: `${'x'.repeat(998)}\r\n`.repeat(27_000) }))
  assert.match(large[1]!, /^552/)
  await client.say('RSET')
  assert.deepEqual(codes(await client.deliver([to], write({}))), ['250 Accept', '250 2.0.0'])
})

test('slows down too much email, and ends connections that guess addresses', async () => {
  await using m = await listening()
  const to = await m.addressOf('hamlet')
  for (let i = 0; i < 20; i++) await m.arrives(to)
  using client = await dialogue(m.listener.port)
  await client.say('LHLO client.example')
  await client.say('MAIL FROM:<a@b.example>')
  assert.match(await client.say(`RCPT TO:<${to}>`), /^451 4\.7\.1/)
  m.w.clock.advance(61_000)
  const replies: string[] = []
  for (let i = 0; i < 20; i++) replies.push(await client.say(`RCPT TO:<${'0'.repeat(31)}${i % 10}@chat.example.com>`))
  assert.match(replies.at(-2)!, /^550/)
  assert.match(replies.at(-1)!, /^421/)
  assert.equal(await client.reply(), 'closed')
})

test('a line feed without a carriage return does not end an email', async () => {
  await using m = await listening()
  const to = await m.addressOf('hamlet')
  using client = await dialogue(m.listener.port)
  const smuggled = 'MAIL FROM:<evil@b.example>\r\nRCPT TO:<x@y.example>\r\nDATA\r\nSubject: smuggled\r\n\r\nx'
  for (const end of ['\n.\n', '\n.\r\n', '\r.\r', '\r\n.\n']) {
    m.w.clock.advance(61_000)
    const raw = write({ subject: 'outer', body: `a${end}${smuggled}` })
    await client.say('RSET')
    await client.say('LHLO client.example')
    await client.say('MAIL FROM:<a@b.example>')
    await client.say(`RCPT TO:<${to}>`)
    await client.say('DATA')
    client.write(`${raw}\r\n.\r\n`)
    assert.match(await client.reply(), /^250/, JSON.stringify(end))
    assert.equal((await m.newest('hamlet')).subject, 'outer')
  }
})

test('accepts ten connections at a time, and stops without losing what it acknowledges', async () => {
  const m = await listening()
  const to = await m.addressOf('hamlet')
  const clients = await Promise.all(Array.from({ length: 10 }, () => dialogue(m.listener.port)))
  using eleventh = await dialogue(m.listener.port)
  assert.match(eleventh.greeting, /^421/)
  const [client, ...others] = clients
  const delivered = client!.deliver([to], write({ subject: 'last' }))
  await m.listener.close()
  const [, acknowledged = 'closed'] = await delivered
  for (const other of others) assert.match(await other.reply(), /^(421|closed)/)
  assert.equal((await m.newest('hamlet'))?.subject === 'last', acknowledged.startsWith('250'))
  for (const each of clients) each[Symbol.dispose]()
  await m.w[Symbol.asyncDispose]()
})

test('understands the addresses to listen on', () => {
  assert.deepEqual(parseListenAddress('127.0.0.1:2525'), { protocol: 'smtp', host: '127.0.0.1', port: 2525 })
  assert.deepEqual(parseListenAddress('LMTP://[::1]:24'), { protocol: 'lmtp', host: '::1', port: 24 })
  for (const wrong of ['', '2525', 'localhost', 'http://a:1', '127.0.0.1:70000', 'imap://a:143', '127.0.0.1:25x'])
    assert.throws(() => parseListenAddress(wrong), /must have the form/, wrong)
})

test('a failure of the database asks for another attempt', onlyOnSqlite('a file of its own'), async () => {
  await using m = await mailInWorld()
  const to = await m.addressOf('hamlet')
  await m.w.chat.close()
  const result = await m.arrives(to)
  assert.ok('responseCode' in result && result.responseCode === 451)
})
