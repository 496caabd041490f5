import assert from 'node:assert/strict'
import { join } from 'node:path'
import test from 'node:test'
import { readInThread } from '../../src/core/bots/feeds/read-thread.ts'
import { feedsOf } from '../../src/core/bots/feeds/worker.ts'
import { manualClock } from '../../src/core/kernel/base/clock.ts'
import { storeOf } from '../../src/core/kernel/store.ts'
import { openChat } from '../../src/core/open-chat.ts'
import { AddressRefused, type FetchAnswer, type FetchRequest } from '../../src/network/post.ts'
import { type World, world } from '../../src/testing/index.ts'
import { TemporaryFolder } from '../temporary-folder.ts'

const FEED_URL = 'https://example.com/feed.xml'
const MINUTE = 60_000

interface Item {
  title: string
  id?: string
  more?: string
}

const rss = (items: readonly Item[]) =>
  `<?xml version="1.0"?><rss version="2.0"><channel><title>Blog</title>${items
    .map(
      ({ title, id = title, more = '' }) =>
        `<item><title>${title}</title><link>https://example.com/${encodeURIComponent(id)}</link><guid>${id}</guid>${more}</item>`,
    )
    .join('')}</channel></rss>`

/** A server with one document, and the requests it got. */
function site(text = rss([])) {
  const here = {
    text,
    status: 200,
    headers: {} as Record<string, string>,
    requests: [] as FetchRequest[],
    answer: undefined as undefined | ((request: FetchRequest) => Partial<FetchAnswer>),
    async fetch(request: FetchRequest): Promise<FetchAnswer> {
      here.requests.push(request)
      const given = here.answer?.(request) ?? {}
      return { status: here.status, headers: here.headers, bytes: Buffer.from(here.text), ...given }
    },
  }
  return here
}
type Site = ReturnType<typeof site>

async function withBot({ fetch }: Site) {
  const w = await world({ chat: { outgoing: { fetch } } })
  const { user_id } = await w.people.hamlet.api.post('/bots', { full_name: 'News', short_name: 'news', bot_type: 2 })
  const path = `/bots/${user_id}/feeds`
  const add = (more: object = {}) =>
    w.people.hamlet.api.post(path, { url: FEED_URL, stream: 'general', topic: 'blog', ...more })
  return { w, bot_id: user_id as number, path, add }
}

const settled = (w: World) => feedsOf(w.chat).settled()
async function pass(w: World, minutes: number) {
  w.clock.advance(minutes * MINUTE)
  await settled(w)
}

/** Messages of the bot, oldest first. */
async function said(w: World, sender = 'News'): Promise<string[]> {
  const { messages } = await w.people.hamlet.api.get('/messages', {
    ...{ anchor: 'newest', num_before: 100, num_after: 0, apply_markdown: false },
  })
  return messages
    .filter(({ sender_full_name }: { sender_full_name: string }) => sender_full_name === sender)
    .map(({ content }: { content: string }) => content)
}

const feedOf = async (w: World, path: string) => (await w.people.hamlet.api.get(path)).feeds[0]

test('announces entries that are new since the feed was added, oldest first, each once', async () => {
  const blog = site(rss([{ title: 'Old' }]))
  const { w, add, path } = await withBot(blog)
  await using _ = w
  assert.equal((await add()).status, 200)
  await settled(w)
  assert.deepEqual(await said(w), [])
  blog.text = rss([
    { title: 'Second', more: '<description>&lt;p&gt;More &amp;amp; more&lt;/p&gt;</description>' },
    { title: 'First' },
    { title: 'Old' },
  ])
  await pass(w, 14)
  assert.deepEqual(await said(w), [])
  await pass(w, 1)
  assert.deepEqual(await said(w), [
    '**[First](https://example.com/First)**',
    '**[Second](https://example.com/Second)**\n\n~~~ quote\nMore & more\n~~~',
  ])
  await pass(w, 15)
  assert.equal((await said(w)).length, 2)
  assert.equal(blog.requests.length, 3)
  const { checked_at, next_at, failure } = await feedOf(w, path)
  assert.deepEqual([next_at - checked_at, failure], [15 * 60, null])
})

test('asks only for changes, and follows redirects', async () => {
  const blog = site(rss([]))
  blog.headers = { etag: '"v1"', 'last-modified': 'Wed, 25 Nov 2026 08:00:00 GMT' }
  const { w, add } = await withBot(blog)
  await using _ = w
  await add()
  await settled(w)
  blog.answer = () => ({ status: 304 })
  await pass(w, 15)
  const [first, second] = blog.requests
  assert.equal(first!.headers['if-none-match'], undefined)
  assert.deepEqual(
    [second!.headers['if-none-match'], second!.headers['if-modified-since']],
    ['"v1"', 'Wed, 25 Nov 2026 08:00:00 GMT'],
  )
  blog.text = rss([{ title: 'Moved' }])
  blog.answer = ({ url }) => (url === FEED_URL ? { status: 301, headers: { location: '/new.xml' } } : {})
  await pass(w, 15)
  assert.equal(blog.requests.at(-1)!.url, 'https://example.com/new.xml')
  assert.deepEqual(await said(w), ['**[Moved](https://example.com/Moved)**'])
})

test('announces many new entries ten at a time, a minute apart', async () => {
  const blog = site(rss([]))
  blog.headers = { etag: '"v1"' }
  const { w, add } = await withBot(blog)
  await using _ = w
  await add()
  await settled(w)
  blog.text = rss(Array.from({ length: 23 }, (_, i) => ({ title: `Entry ${22 - i}` })))
  const counts: number[] = []
  for (const minutes of [15, 1, 1, 1]) {
    await pass(w, minutes)
    counts.push((await said(w)).length)
  }
  assert.deepEqual(counts, [10, 20, 23, 23])
  assert.ok((await said(w)).every((text, i) => text.includes(`[Entry ${i}]`)))
})

test('keeps text of feeds from mentioning people, disguising links, and breaking its place', async () => {
  const items = [
    { title: '@**all** [x](https://evil.example)', id: '1' },
    { title: '**loud** `code`', id: '2', more: '<description>~~~ @**hamlet** ~~~ #**general**</description>' },
    { title: '', id: '3', more: '<description><![CDATA[<script>x</script><b>Bold</b><p>text</p>]]></description>' },
  ]
  const blog = site(rss([]))
  const { w, add } = await withBot(blog)
  await using _ = w
  await add()
  await settled(w)
  blog.text = rss(items)
  await pass(w, 15)
  const { messages } = await w.people.hamlet.api.get('/messages', { anchor: 'newest', num_before: 2, num_after: 0 })
  const html = messages.map(({ content }: { content: string }) => content).join('\n')
  assert.doesNotMatch(html, /user-mention|href="https:\/\/evil|script/)
  const texts = await said(w)
  assert.equal(texts.length, 3)
  assert.match(
    texts[0]!,
    /^\*\*\[https:\/\/example\.com\/3\]\(https:\/\/example\.com\/3\)\*\*\n\n~~~ quote\nBold text\n~~~$/,
  )
})

test('reads Atom, RDF, relative links and other encodings', async () => {
  const documents: readonly [text: string | Buffer, expected: string][] = [
    [
      `<feed xmlns="http://www.w3.org/2005/Atom"><entry><id>a</id><title type="html">A &amp;lt;b&gt; c</title>
       <link rel="replies" href="https://example.com/replies"/><link href="posts/a"/></entry></feed>`,
      '**[A <b> c](https://example.com/posts/a)**',
    ],
    [
      `<rdf:RDF xmlns:rdf="r"><channel/><item rdf:about="u"><title>R</title><link>https://example.com/r</link></item></rdf:RDF>`,
      '**[R](https://example.com/r)**',
    ],
    [
      Buffer.from(
        '<?xml version="1.0" encoding="iso-8859-1"?><rss><channel><item><title>Mär</title></item></channel></rss>',
        'latin1',
      ),
      '**Mär**',
    ],
    [
      '<rss><channel><item><title>Guid</title><guid>https://example.com/g</guid></item></channel></rss>',
      '**[Guid](https://example.com/g)**',
    ],
    [
      '<rss><channel><item><title>Not</title><guid isPermaLink="false">https://x.com</guid></item></channel></rss>',
      '**Not**',
    ],
  ]
  const blog = site(rss([]))
  const { w, add } = await withBot(blog)
  await using _ = w
  await add()
  await settled(w)
  for (const [text, expected] of documents) {
    blog.answer = () => ({ bytes: Buffer.from(text) })
    await pass(w, 15)
    assert.equal((await said(w)).at(-1), expected)
  }
})

test('notifies the owner of the first failure in a row, at most once an hour, and asks less often', async () => {
  const blog = site()
  const { w, add, path } = await withBot(blog)
  await using _ = w
  await add()
  await settled(w)
  const failures: readonly [(request: FetchRequest) => Partial<FetchAnswer>, string][] = [
    [() => ({ status: 500 }), 'the server answered with status 500'],
    [() => ({ bytes: Buffer.from('<html><body>Sign in</body></html>') }), 'the document is not an RSS or Atom feed'],
    [() => ({ status: 302, headers: { location: FEED_URL } }), 'the server redirected more than 3 times'],
    [() => ({ status: 302, headers: { location: 'file:///etc/passwd' } }), 'the server redirected to file:'],
    [
      () => {
        throw new AddressRefused('localhost is not on the public Internet')
      },
      'localhost is not on the public Internet',
    ],
  ]
  for (const [answer, expected] of failures) {
    blog.answer = answer
    await pass(w, 300)
    assert.equal((await feedOf(w, path)).failure, expected)
  }
  const { failure: __, checked_at, next_at } = await feedOf(w, path)
  assert.ok(next_at > checked_at)
  const notices = await said(w, 'Notification Bot')
  assert.equal(notices.length, 1, notices.join('\n'))
  assert.match(notices[0]!, /could not read `https:\/\/example\.com\/feed\.xml`: `the server answered with status 500`/)
  blog.answer = undefined
  await pass(w, 300)
  assert.equal((await feedOf(w, path)).failure, null)
  blog.status = 404
  await pass(w, 15)
  assert.equal((await said(w, 'Notification Bot')).length, 2)
  blog.status = 200
  await pass(w, 15)
  blog.status = 404
  await pass(w, 15)
  assert.equal((await said(w, 'Notification Bot')).length, 2)
})

test('a channel that is gone is a failure, and its entries are announced later', async () => {
  const blog = site()
  const { w, add, path } = await withBot(blog)
  await using _ = w
  await w.people.iago.api.post('/channels/create', { name: 'news', subscribers: [w.people.hamlet.id] })
  await add({ stream: 'news' })
  await settled(w)
  const stream_id = await w.streamId('news')
  await w.people.iago.api.delete(`/streams/${stream_id}`)
  blog.text = rss([{ title: 'Held' }])
  await pass(w, 15)
  assert.match((await feedOf(w, path)).failure, /archived|does not exist|permission/)
  await w.people.iago.api.patch(`/streams/${stream_id}`, { is_archived: false })
  await pass(w, 300)
  assert.deepEqual(await said(w), ['**[Held](https://example.com/Held)**'])
})

test('rejects feeds that do not qualify', async () => {
  const { w, add, path, bot_id } = await withBot(site())
  await using _ = w
  const { hamlet, cordelia, iago } = w.people
  const refused = async (params: object, expected: RegExp) => {
    const { status, msg } = await add(params)
    assert.equal(status >= 400 && status < 500, true, msg)
    assert.match(msg, expected)
  }
  for (const url of [
    '',
    'feed',
    'ftp://example.com/x',
    'file:///etc/passwd',
    `https://example.com/${'x'.repeat(2000)}`,
  ])
    await refused({ url }, /^url is not a URL$/)
  await refused({ url: 'https://me:secret@example.com/' }, /url contains a user name or a password/)
  await refused({ stream: 'nowhere' }, /nowhere/)
  await refused({ stream: '99999' }, /99999/)
  await refused({ topic: 'x'.repeat(61) }, /Topic is too long/)
  await refused({ interval_minutes: 4 }, /interval_minutes must be at least 5/)
  await refused({ interval_minutes: 1441 }, /interval_minutes must be at most 1440/)
  await refused({ kind: 'podcast' }, /Invalid kind/)
  await refused({ minutes_before: 5 }, /Only calendars have minutes_before/)
  await refused({ kind: 'calendar', minutes_before: 10_081 }, /minutes_before must be at most 10080/)
  const post = { url: FEED_URL, stream: 'general', topic: 'x' }
  assert.match((await cordelia.api.post(path, post)).msg, /Insufficient permission/)
  assert.match((await cordelia.api.get(path)).msg, /Insufficient permission/)
  assert.equal((await hamlet.api.post('/bots/99999/feeds', post)).msg, 'No such bot')
  assert.equal((await iago.api.post(path, post)).status, 200)
  await refused({ topic: 'x' }, /already announces this address there/)
  const { id } = await feedOf(w, path)
  assert.match((await cordelia.api.delete(`${path}/${id}`)).msg, /Insufficient permission/)
  for (let i = 1; i < 20; i++) assert.equal((await add({ topic: `t${i}` })).status, 200)
  await refused({ topic: 'more' }, /at most 20 feeds/)
  assert.equal((await hamlet.api.delete(`${path}/${id}`)).status, 200)
  assert.equal((await hamlet.api.delete(`${path}/${id}`)).msg, 'Invalid feed')
  await hamlet.api.delete(`/bots/${bot_id}`)
  await refused({ topic: 'after' }, /deactivated/)
})

test('two people who add one feed at the same time add it once', async () => {
  const { w, path } = await withBot(site())
  await using _ = w
  const post = { url: FEED_URL, stream: 'general', topic: 'x' }
  const answers = await Promise.all([w.people.hamlet, w.people.iago].map(({ api }) => api.post(path, post)))
  assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 400])
})

test('reads no feed of a deactivated bot or after it was removed', async () => {
  const blog = site()
  const { w, add, path, bot_id } = await withBot(blog)
  await using _ = w
  const { hamlet, iago } = w.people
  await add()
  await settled(w)
  await hamlet.api.delete(`/bots/${bot_id}`)
  await pass(w, 60)
  assert.equal(blog.requests.length, 1)
  await iago.api.post(`/users/${bot_id}/reactivate`)
  await pass(w, 60)
  assert.equal(blog.requests.length, 2)
  await hamlet.api.delete(`${path}/${(await feedOf(w, path)).id}`)
  await pass(w, 60)
  assert.equal(blog.requests.length, 2)
})

const utc = (ms: number) => new Date(ms).toISOString().replace(/[-:]|\.\d+/g, '')

/** A calendar with these events. */
const calendar = (...events: string[][]) =>
  [
    ...['BEGIN:VCALENDAR', 'VERSION:2.0', 'PRODID:test'],
    ...['BEGIN:VTIMEZONE', 'TZID:Europe/Berlin', 'BEGIN:STANDARD', 'DTSTART:19961027T030000', 'TZOFFSETFROM:+0200'],
    ...['TZOFFSETTO:+0100', 'RRULE:FREQ=YEARLY;BYMONTH=10;BYDAY=-1SU', 'END:STANDARD', 'BEGIN:DAYLIGHT'],
    ...['DTSTART:19810329T020000', 'TZOFFSETFROM:+0100', 'TZOFFSETTO:+0200', 'RRULE:FREQ=YEARLY;BYMONTH=3;BYDAY=-1SU'],
    ...['END:DAYLIGHT', 'END:VTIMEZONE'],
    ...events.flatMap((lines) => ['BEGIN:VEVENT', ...lines, 'END:VEVENT']),
    'END:VCALENDAR',
  ].join('\r\n')

const CALENDAR = { kind: 'calendar', url: 'https://example.com/team.ics' }

test('reminds of an event before it begins, once, and not of one that was canceled', async () => {
  const team = site()
  const { w, add } = await withBot(team)
  await using _ = w
  const begins = w.clock.now() + 100 * MINUTE
  team.text = calendar(
    ['UID:1', `DTSTART:${utc(begins)}`, 'SUMMARY:Stand-up\\, all', 'LOCATION:Room 5', 'URL:https://example.com/call'],
    ['UID:2', `DTSTART:${utc(begins)}`, 'SUMMARY:Canceled', 'STATUS:CANCELLED'],
  )
  await add(CALENDAR)
  await settled(w)
  await pass(w, 84)
  assert.deepEqual(await said(w), [])
  await pass(w, 1)
  const at = `${new Date(begins).toISOString().slice(0, 19)}+00:00`
  const expected = [`**[Stand-up, all](https://example.com/call)** begins at <time:${at}>\nLocation: Room 5`]
  assert.deepEqual(await said(w), expected)
  await pass(w, 120)
  assert.deepEqual(await said(w), expected)
})

test('reminds of each repetition, in the time zone of the calendar, with exceptions', async () => {
  const clock = manualClock(Date.UTC(2026, 9, 22, 6))
  const team = site()
  const w = await world({ chat: { outgoing: { fetch: team.fetch } } }, clock)
  await using _ = w
  const { user_id } = await w.people.hamlet.api.post('/bots', { full_name: 'News', short_name: 'news', bot_type: 2 })
  // Daily at 10:00 in Berlin, where summer time ends on 25 October 2026.
  team.text = calendar(
    [
      'UID:d',
      'DTSTART;TZID=Europe/Berlin:20200101T100000',
      'RRULE:FREQ=DAILY',
      'EXDATE;TZID=Europe/Berlin:20261024T100000',
      'SUMMARY:Daily',
    ],
    [
      'UID:d',
      'RECURRENCE-ID;TZID=Europe/Berlin:20261023T100000',
      'DTSTART;TZID=Europe/Berlin:20261023T113000',
      'SUMMARY:Daily\\, later',
    ],
  )
  const place = { stream: 'general', topic: 'team', minutes_before: 0, interval_minutes: 1440 }
  assert.equal((await w.people.hamlet.api.post(`/bots/${user_id}/feeds`, { ...CALENDAR, ...place })).status, 200)
  await settled(w)
  for (let hour = 0; hour < 4 * 24; hour++) for (const half of [30, 30]) await pass(w, half)
  assert.deepEqual(await said(w), [
    '**Daily** begins at <time:2026-10-22T08:00:00+00:00>',
    '**Daily, later** begins at <time:2026-10-23T09:30:00+00:00>',
    '**Daily** begins at <time:2026-10-25T09:00:00+00:00>',
  ])
})

test('reminds of repeated events although the calendar never changes', async () => {
  const team = site()
  team.headers = { etag: '"v1"' }
  team.answer = ({ headers }) => (headers['if-none-match'] === '"v1"' ? { status: 304 } : {})
  const { w, add } = await withBot(team)
  await using _ = w
  team.text = calendar(['UID:w', `DTSTART:${utc(w.clock.now() + 60 * MINUTE)}`, 'RRULE:FREQ=WEEKLY', 'SUMMARY:Weekly'])
  await add({ ...CALENDAR, interval_minutes: 1440, minutes_before: 60 })
  await settled(w)
  for (let day = 0; day < 30; day++) await pass(w, 24 * 60)
  assert.equal((await said(w)).length, 5)
  assert.ok(team.requests.some(({ headers }) => headers['if-none-match'] === '"v1"'))
})

test('moves and removes reminders with their events', async () => {
  const team = site()
  const { w, add } = await withBot(team)
  await using _ = w
  const begins = w.clock.now() + 5 * 60 * MINUTE
  const event = (id: string, at: number) => [`UID:${id}`, `DTSTART:${utc(at)}`, `SUMMARY:${id}`]
  team.text = calendar(event('moved', begins), event('gone', begins))
  await add(CALENDAR)
  await settled(w)
  team.text = calendar(event('moved', begins + 60 * MINUTE))
  for (let i = 0; i < 5; i++) await pass(w, 60)
  assert.deepEqual(await said(w), [])
  await pass(w, 46)
  assert.equal((await said(w)).length, 1)
})

test('shows the day of an event that lasts all day, and drops reminders that are too late', async () => {
  const team = site()
  const { w, add } = await withBot(team)
  await using _ = w
  const day = new Date(w.clock.now() + 3 * 24 * 60 * MINUTE).toISOString().slice(0, 10)
  team.text = calendar(
    ['UID:1', `DTSTART;VALUE=DATE:${day.replaceAll('-', '')}`, 'SUMMARY:Holiday'],
    ['UID:2', `DTSTART:${utc(w.clock.now() + 60 * MINUTE)}`, 'SUMMARY:Missed'],
  )
  await add({ ...CALENDAR, interval_minutes: 1440, minutes_before: 24 * 60 })
  await settled(w)
  assert.equal((await said(w)).length, 1)
  for (let i = 0; i < 3; i++) await pass(w, 24 * 60)
  assert.deepEqual((await said(w)).slice(1), [`**Holiday** is on ${day}`])
})

test('ends a calendar whose rules never end', async () => {
  const text = calendar([
    'UID:1',
    'DTSTART:20260101T000000Z',
    'RRULE:FREQ=SECONDLY;BYMONTH=2;BYMONTHDAY=30',
    'SUMMARY:x',
  ])
  const question = { kind: 'calendar' as const, text, from: 0, to: 4_000_000_000 }
  const { signal } = new AbortController()
  await assert.rejects(readInThread(question, signal, 500), /the document takes too long to read/)
})

test('a document that is not a calendar is a failure', async () => {
  const team = site()
  const { w, add, path } = await withBot(team)
  await using _ = w
  for (const text of ['not a calendar', 'BEGIN:VCALENDAR\r\nBEGIN:VEVENT\r\nDTSTART:x\r\nEND:VCALENDAR']) {
    team.text = text
    await add({ ...CALENDAR, topic: text.slice(0, 5).trim() })
    await settled(w)
  }
  const { feeds } = await w.people.hamlet.api.get(path)
  for (const { failure } of feeds) assert.match(failure, /not an iCalendar file|could not be read/)
})

test('announces each entry once across a restart', async () => {
  using folder = new TemporaryFolder()
  const db = join(folder.path, 'chat.db')
  const clock = manualClock()
  const blog = site(rss([]))
  const outgoing = { fetch: blog.fetch }
  const w = await world({ chat: { db, outgoing } }, clock)
  const { user_id } = await w.people.hamlet.api.post('/bots', { full_name: 'News', short_name: 'news' })
  const post = { url: FEED_URL, stream: 'general', topic: 'x' }
  await w.people.hamlet.api.post(`/bots/${user_id}/feeds`, post)
  await settled(w)
  blog.text = rss([{ title: 'One' }])
  await pass(w, 15)
  assert.equal((await said(w)).length, 1)
  await w.chat.close()
  blog.text = rss([{ title: 'Two' }, { title: 'One' }])
  clock.advance(60 * MINUTE)
  await using chat = await openChat({ db, clock, outgoing })
  await feedsOf(chat).settled()
  const rows = await storeOf(chat).db.selectFrom('message').select('content').where('sender_id', '=', user_id).execute()
  assert.deepEqual(
    rows.map(({ content }) => content),
    ['**[One](https://example.com/One)**', '**[Two](https://example.com/Two)**'],
  )
})
