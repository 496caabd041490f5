import assert from 'node:assert/strict'
import test from 'node:test'
import { kindOf, type MailInWorld, type Message, mailInWorld } from './in-world.ts'

/** Posts an email to a channel with some options, and returns the message. */
async function posted(m: MailInWorld, mail: Partial<Message>, options = '') {
  const to = (await m.addressOf('hamlet')).replace('@', `${options}@`)
  m.w.clock.advance(61_000)
  assert.equal(kindOf(await m.arrives(to, mail)), 'posted')
  return m.newest('hamlet')
}

const html = (body: string): Partial<Message> => ({ 'content-type': 'text/html; charset=utf-8', body })

const multipart = (...parts: string[]): Partial<Message> => ({
  'content-type': 'multipart/mixed; boundary="b"',
  body: `${parts.map((part) => `--b\r\n${part}\r\n`).join('')}--b--\r\n`,
})
const file = (name: string, content: string, type = 'text/plain') =>
  `Content-Type: ${type}; name="${name}"\r\nContent-Disposition: attachment; filename="${name}"\r\nContent-Transfer-Encoding: base64\r\n\r\n${Buffer.from(content).toString('base64')}`

test('HTML becomes Markdown with the real addresses of its links', async () => {
  await using m = await mailInWorld()
  const { content } = await posted(
    m,
    html(`<html><head><title>T</title><style>p { color: red }</style></head><body><script>alert(1)</script>
<div style="display:none">hidden</div><h2>Offer</h2><p>Pay <b>now</b> at
<a href="https://evil.example/x">https://bank.example</a> or <a href="javascript:alert(1)">here</a>,
<a href="https://fine.example/">https://fine.example/</a>&nbsp;&amp; <i>more</i></p><ul><li>one</li><li>two<ol><li>deep</li></ol></li></ul>
<img src="https://evil.example/pixel.png" alt=""><img src="x" alt="A cat"><table><tr><td>a</td><td>b</td></tr></table></body></html>`),
  )
  assert.equal(
    content,
    '**Offer**\n\nPay **now** at https://bank.example (https://evil.example/x) or here, https://fine.example/ & *more*\n\n- one\n- two\n  1. deep\n\nA cat\n\na b',
  )
})

test('deeply nested HTML takes no time, and is read up to a limit', async () => {
  await using m = await mailInWorld()
  const options = '.include-quotes'
  for (const tag of ['div', 'b', 'blockquote', 'ul', 'a href="https://x.example/"', 'table']) {
    const close = `</${tag.split(' ')[0]}>`
    const nested = (depth: number) => html(`Start<p>${`<${tag}>`.repeat(depth)}deep${close.repeat(depth)}`)
    assert.match((await posted(m, nested(500), options)).content, /deep/, tag)
    assert.match((await posted(m, nested(50_000), options)).content, /^Start/, tag)
  }
})

test('the text is preferred, and HTML if the address says so', async () => {
  await using m = await mailInWorld()
  const both: Partial<Message> = {
    'content-type': 'multipart/alternative; boundary="b"',
    body: '--b\r\nContent-Type: text/plain\r\n\r\nplain\r\n--b\r\nContent-Type: text/html\r\n\r\n<p>rich</p>\r\n--b--',
  }
  assert.equal((await posted(m, both)).content, 'plain')
  assert.equal((await posted(m, both, '.prefer-html')).content, 'rich')
  assert.equal((await posted(m, both, '.prefer-text')).content, 'plain')
})

test('options of the address show the sender, and keep the signature and the quotes', async () => {
  await using m = await mailInWorld()
  const body = 'Yes\r\n\r\n-- \r\nBob\r\n\r\nOn Jan 5, 2026, Ann <ann@example.com> wrote:\r\n> No'
  assert.equal((await posted(m, { body })).content, 'Yes')
  assert.equal((await posted(m, { body }, '.include-footer')).content, 'Yes\n\n-- \nBob')
  assert.match((await posted(m, { body }, '.include-footer.include-quotes')).content, /> No$/)
  assert.match((await posted(m, { body, subject: 'Fwd: old' }, '.include-footer')).content, /> No$/)
  const shown = await posted(m, { body, from: '=?utf-8?q?B=C3=B6b_*x*?= <bob@xn--80ak6aa92e.com>' }, '.show-sender')
  assert.equal(shown.content, '**From:** Böb x `bob@xn--80ak6aa92e.com`\n\nYes')
})

test('a sender in another script shows as what mail servers see', async () => {
  await using m = await mailInWorld()
  const { content } = await posted(m, { from: 'Apple <news@аррӏе.com>' }, '.show-sender')
  assert.equal(content.split('\n')[0], '**From:** Apple `news@xn--80ak6aa92e.com`')
})

test("a stranger's text notifies nobody, runs nothing and hides nothing", async () => {
  await using m = await mailInWorld()
  const body =
    'Hi @**all** @_**hamlet** @**hamlet** @*role:members* @**topic** ![x](https://evil.example/p.png) [bank](https://evil.example)'
  const { content, flags, id } = await posted(m, { body })
  assert.deepEqual(
    flags.filter((flag: string) => flag !== 'read'),
    [],
  )
  assert.ok(content.includes('[bank] (https://evil.example)'))
  const { message } = await m.hamlet.api.get(`/messages/${id}`)
  assert.doesNotMatch(message.content, /user-mention|user-group-mention|topic-mention|<img|>bank</)
  for (const command of ['/poll Lunch?', '/todo', '/me leaves', '/weather', '\n /poll Tea?']) {
    const sent = await posted(m, { body: command })
    assert.deepEqual([sent.submessages, sent.is_me_message], [[], false], command)
  }
})

test('attachments become files that readers of the channel can open', async () => {
  await using m = await mailInWorld()
  const mail = multipart(
    'Content-Type: text/plain\r\n\r\nSee',
    file('../../etc/re[po]rt.txt', 'numbers'),
    file('b.txt', 'b'),
  )
  const { content } = await posted(m, mail)
  const paths = [...content.matchAll(/\]\((\/user_uploads\/[^)]+)\)/g)].map(([, path]) => path)
  assert.equal(paths.length, 2)
  assert.match(content, /^See\n\n\[report\.txt\]\(.*\)\n\[b\.txt\]\(.*\)$/)
  const { attachments } = await m.cordelia.api.get(`/messages/${(await m.newest('cordelia')).id}`)
  assert.equal(attachments, undefined)
  const { url } = await m.cordelia.api.get(paths[0]!)
  assert.ok(url, 'she can read the file')
})

test('an attached email is a file, not text', async () => {
  await using m = await mailInWorld()
  const inner = 'From: a@b.example\r\nSubject: inner\r\n\r\nInner text'
  const mail = multipart('Content-Type: text/plain\r\n\r\nSee', `Content-Type: message/rfc822\r\n\r\n${inner}`)
  const { content } = await posted(m, mail)
  assert.match(content, /^See\n\n\[.*\]\(\/user_uploads\/.*\)$/)
})

test('links to files survive an open block of code and a long text', async () => {
  await using m = await mailInWorld()
  for (const text of ['```\r\nopen', `${'ä'.repeat(30_000)}`]) {
    const { content, id } = await posted(
      m,
      multipart(`Content-Type: text/plain; charset=utf-8\r\n\r\n${text}`, file('a.txt', 'a')),
    )
    assert.ok(Buffer.byteLength(content) <= 10_000)
    const { message } = await m.hamlet.api.get(`/messages/${id}`)
    assert.match(message.content, /<a href="\/user_uploads\/[^"]+a\.txt"/)
    if (text.startsWith('ä')) assert.match(content, /ä\n\[message truncated\]\n\n\[a\.txt\]/)
  }
})

test('files beyond the limits are named', async () => {
  await using m = await mailInWorld({ maxFileUploadSizeMib: 1 })
  const { content } = await posted(
    m,
    multipart(
      'Content-Type: text/plain\r\n\r\nSee',
      file('big.bin', 'x'.repeat(1024 * 1024 + 1)),
      ...Array.from({ length: 21 }, (_, i) => file(`${i}.txt`, 'x')),
    ),
  )
  assert.match(content, /^See\n\n\(big\.bin was left out: files can have at most 1 MiB\)\n\[0\.txt\]/)
  assert.match(content, /\n\(2 more files were left out\)$/)
})

test('an email without text or a subject is posted all the same', async () => {
  await using m = await mailInWorld()
  const { content, subject } = await posted(m, { subject: '', body: '' })
  assert.deepEqual([content, subject], ['(no text)', ''])
  assert.equal((await posted(m, { subject: 'Re: Fwd:\t' })).subject, '')
})

test('a subject becomes a topic of one line and of the usual length', async () => {
  await using m = await mailInWorld()
  const topicFor = async (subject: string) => (await posted(m, { subject })).subject
  assert.equal(
    await topicFor(`=?utf-8?b?${Buffer.from('a\r\nBcc: x\u202e\u0000b').toString('base64')}?=`),
    'a Bcc: x b',
  )
  assert.equal([...(await topicFor('x'.repeat(500)))].length, 60)
  assert.equal(await topicFor('AW: Re[2]: RE: Отв Ответ: hi'), 'Отв Ответ: hi')
})

test('emails that break a limit are rejected for good', async () => {
  await using m = await mailInWorld()
  const to = await m.addressOf('hamlet')
  const nested = (depth: number): string =>
    depth === 0
      ? 'Content-Type: text/plain\r\n\r\nx'
      : `Content-Type: multipart/mixed; boundary="b${depth}"\r\n\r\n--b${depth}\r\n${nested(depth - 1)}\r\n--b${depth}--`
  const [type, ...rest] = nested(60).split('\r\n')
  const bombs: Record<string, Partial<Message>> = {
    parts: multipart(...Array.from({ length: 5000 }, () => 'Content-Type: text/plain\r\n\r\nx')),
    depth: { 'content-type': type!.replace('Content-Type: ', ''), body: rest.slice(1).join('\r\n') },
    headers: Object.fromEntries(Array.from({ length: 1100 }, (_, i) => [`x-${i}`, 'y'])),
    header: { 'x-long': 'y'.repeat(300_000) },
  }
  for (const [name, mail] of Object.entries(bombs)) assert.equal(kindOf(await m.arrives(to, mail)), '554 5.6.0', name)
  assert.equal(kindOf(await m.arrives(to, { body: 'x'.repeat(26 * 1024 * 1024) })), '552 5.3.4')
  assert.equal(kindOf(await m.arrives(to)), 'posted')
})

test('emails of programs and emails in a circle have no effect', async () => {
  await using m = await mailInWorld()
  const { hamlet, cordelia } = m
  const channel = await m.addressOf('hamlet')
  const reply = await m.replyAddress('hamlet', () => cordelia.says('psst', { people: [hamlet] }))
  const circle = Array.from({ length: 26 }, () => 'from a by b').join('\r\nReceived: ')
  const mails: Partial<Message>[] = [
    { 'auto-submitted': 'auto-replied' },
    { 'Auto-Submitted': ' Auto-Generated; x=y' },
    { 'auto-submitted': 'no-thanks' },
    { precedence: 'junk' },
    { 'x-loop': 'somebody' },
    { received: circle },
    { 'return-path': '<>' },
    { 'list-id': 'Elsinore <chat.example.com>' },
    { 'message-id': '<m.abcdefghijklmnopqrstuvwx@chat.example.com>' },
  ]
  for (const mail of mails) {
    for (const to of [channel, reply]) {
      const result = await m.arrives(to, { from: hamlet.email, body: 'loop', ...mail })
      assert.equal(kindOf(result), 'ignored', JSON.stringify(mail))
      m.w.clock.advance(61_000)
    }
  }
  assert.equal(kindOf(await m.arrives(channel, {}, '')), 'ignored')
  assert.equal(kindOf(await m.arrives(channel, { precedence: 'list' })), 'posted')
  assert.equal(kindOf(await m.arrives(reply, { precedence: 'bulk', from: hamlet.email })), 'ignored')
  assert.equal(kindOf(await m.arrives(channel, { 'auto-submitted': 'no' })), 'posted')
  for (const who of ['hamlet', 'cordelia']) assert.notEqual((await m.newest(who)).content, 'loop')
})

test('damaged emails never fail', async () => {
  await using m = await mailInWorld()
  const to = await m.addressOf('hamlet')
  const damaged: Partial<Message>[] = [
    { 'content-type': 'multipart/mixed' },
    { 'content-type': 'multipart/mixed; boundary=""', body: '--\r\n\r\n--' },
    { 'content-type': 'text/plain; charset=nonsense', body: '\u00ff\u0000\ufffe' },
    { 'content-transfer-encoding': 'base64', body: '!!!' },
    { subject: '=?utf-8?b?////?= =?x?q?' },
    { from: '<<<>>>', body: '\ud800' },
  ]
  for (const mail of damaged) {
    m.w.clock.advance(61_000)
    assert.equal(kindOf(await m.arrives(to, mail)), 'posted', JSON.stringify(mail))
  }
})

test("a stranger's file name mentions nobody", async () => {
  await using m = await mailInWorld()
  const body = [
    '--b',
    'Content-Type: text/plain',
    '',
    'Hi',
    '--b',
    'Content-Type: text/plain',
    'Content-Disposition: attachment; filename="@**all**.txt"',
    '',
    'data',
    '--b--',
    '',
  ].join('\r\n')
  const mail = { 'content-type': 'multipart/mixed; boundary=b', body }
  assert.equal(kindOf(await m.arrives(await m.addressOf('hamlet'), mail)), 'posted')
  const { content, flags } = await m.newest('cordelia')
  assert.match(content, /\.txt\]\(\/user_uploads\//)
  assert.deepEqual(flags, [])
})
