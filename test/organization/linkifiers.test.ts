import assert from 'node:assert/strict'
import test from 'node:test'
import { register } from '../../src/core/events/queues/register.ts'
import { createLinkifier, listLinkifiers, MAX_LINKIFIERS } from '../../src/core/organization/linkifiers/edit.ts'
import { linkifiersOf } from '../../src/core/organization/linkifiers/stored.ts'
import { type Person, world } from '../../src/testing/index.ts'

const issue = { pattern: '#(?P<id>[0-9]+)', url_template: 'https://issues.example.com/{id}' }
const ticket = { pattern: 'T-(?P<id>[0-9]+)', url_template: 'https://tickets.example.com/{id}' }

const add = async (who: Person, params: Record<string, unknown>): Promise<number> =>
  (await who.api.post('/realm/filters', params)).id
/** Without a way back from URLs to texts. */
const oneWay = { example_input: null, reverse_template: null, alternative_url_templates: [] }
const list = async (who: Person) => (await who.api.get('/realm/linkifiers')).linkifiers

test('adds, lists, changes, reorders and removes linkifiers', async () => {
  await using w = await world()
  const { iago, polonius } = w.people
  const first = await add(iago, issue)
  const second = await add(iago, { pattern: ` ${ticket.pattern} `, url_template: ` ${ticket.url_template} ` })
  assert.deepEqual(await list(polonius), [
    { id: first, ...issue, ...oneWay },
    { id: second, ...ticket, ...oneWay },
  ])
  const changed = { ...issue, url_template: 'https://other.example.com/{id}' }
  assert.equal((await iago.api.patch(`/realm/filters/${first}`, changed)).status, 200)
  assert.equal((await iago.api.patch('/realm/linkifiers', { ordered_linkifier_ids: [second, first] })).status, 200)
  const third = await add(iago, { pattern: 'x', url_template: 'https://x.example.com' })
  assert.deepEqual(
    (await list(iago)).map(({ id }: { id: number }) => id),
    [second, first, third],
    'a new one comes last',
  )
  assert.equal((await iago.api.delete(`/realm/filters/${second}`)).status, 200)
  assert.deepEqual(await list(iago), [
    { id: first, ...changed, ...oneWay },
    { id: third, pattern: 'x', url_template: 'https://x.example.com', ...oneWay },
  ])
})

test('each change sends everyone the whole ordered list; an unchanged order sends nothing', async () => {
  await using w = await world()
  const { iago } = w.people
  const one = await add(iago, issue)
  const two = await add(iago, ticket)
  await iago.api.patch('/realm/linkifiers', { ordered_linkifier_ids: [one, two] })
  await iago.api.patch('/realm/linkifiers', { ordered_linkifier_ids: [two, one] })
  await iago.api.delete(`/realm/filters/${two}`)
  const [a, b] = [
    { id: one, ...issue, ...oneWay },
    { id: two, ...ticket, ...oneWay },
  ]
  assert.deepEqual(
    (await w.events()).map((event) => 'realm_linkifiers' in event && event.realm_linkifiers),
    [[a], [a, b], [b, a], [a]],
  )
})

test('register lists linkifiers for clients that support templates and is empty for others', async () => {
  await using w = await world()
  const { iago, hamlet } = w.people
  const id = await add(iago, issue)
  const fetch_event_types = ['realm_linkifiers', 'realm_filters', 'realm_playgrounds']
  const modern = await register(hamlet, { fetch_event_types, client_capabilities: { linkifier_url_template: true } })
  assert.deepEqual(modern.realm_linkifiers, [{ id, ...issue, ...oneWay }])
  assert.deepEqual(modern.realm_filters, [])
  const older = await register(hamlet, { fetch_event_types })
  assert.deepEqual(older.realm_linkifiers, [])
  await hamlet.api.get('/events', { queue_id: older.queue_id, last_event_id: older.last_event_id, dont_block: true })
  await add(iago, ticket)
  const { events } = await hamlet.api.get('/events', {
    queue_id: older.queue_id,
    last_event_id: older.last_event_id,
    dont_block: true,
  })
  const detail = events.filter(({ type }: { type: string }) => type === 'realm_linkifiers')
  assert.deepEqual(
    detail.map((event: { realm_linkifiers: unknown }) => event.realm_linkifiers),
    [[]],
  )
})

const refused: [params: Record<string, unknown>, msg: string][] = [
  [{ ...issue, pattern: ' ' }, 'This field cannot be blank.'],
  [{ ...issue, url_template: '' }, 'This field cannot be blank.'],
  [{ ...issue, pattern: '(foo' }, 'Bad regular expression: missing ): (foo'],
  [{ ...issue, pattern: '[a' }, 'Bad regular expression: missing ]: [a'],
  [{ ...issue, pattern: 'a(?P<id>\\d????)' }, 'Bad regular expression: bad repetition operator: ????'],
  [{ ...issue, pattern: '(?=a)' }, 'Bad regular expression: invalid perl operator: (?='],
  [{ ...issue, pattern: '(a)\\1' }, 'Bad regular expression: invalid escape sequence: \\1'],
  [{ ...issue, pattern: 'a\\' }, 'Bad regular expression: trailing backslash at end of expression'],
  [{ ...issue, pattern: '(?P<id>[0-9]{900})' }, 'Bad regular expression: pattern too large - compile failed'],
  [{ ...issue, pattern: `#${'x'.repeat(1000)}` }, 'pattern is too long (limit: 1000 characters)'],
  [{ ...issue, url_template: 'https://example.com/{id' }, 'Invalid URL template.'],
  [{ ...issue, url_template: 'https://example.com/{{id}}' }, 'Invalid URL template.'],
  [{ ...issue, url_template: 'https://example.com/{//id}' }, 'Invalid URL template.'],
  [{ ...issue, url_template: 'https://example.com/{id++}' }, 'Invalid URL template.'],
  [{ ...issue, url_template: 'https://example.com/id}' }, 'Invalid URL template.'],
  [
    { ...issue, url_template: 'https://example.com/{id}/{name}' },
    "Group 'name' in URL template is not present in linkifier pattern.",
  ],
  [
    { ...issue, url_template: 'https://example.com/' },
    "Group 'id' in linkifier pattern is not present in URL template.",
  ],
  [issue, 'Realm filter with this Realm and Pattern already exists.'],
]

test('rejects invalid linkifiers when adding and changing', async () => {
  await using w = await world()
  const { iago } = w.people
  await add(iago, issue)
  const id = await add(iago, ticket)
  await w.events()
  for (const [params, msg] of refused) {
    for (const answer of [
      await iago.api.post('/realm/filters', params),
      await iago.api.patch(`/realm/filters/${id}`, params),
    ]) {
      assert.deepEqual([answer.status, answer.code, answer.msg], [400, 'BAD_REQUEST', msg], JSON.stringify(params))
    }
  }
  assert.deepEqual(await w.events(), [])
  const { errors } = await iago.api.post('/realm/filters', { ...issue, pattern: '(foo' })
  assert.deepEqual(errors, { pattern: ['Bad regular expression: missing ): (foo'] })
  assert.equal((await iago.api.patch(`/realm/filters/${id}`, ticket)).status, 200, 'its own pattern is free')
})

test('accepts templates of every level of RFC 6570', async () => {
  await using w = await world()
  const pattern = 'F-(?P<a>[a-z]+);(?P<b>[a-z]+);(?P<c>[a-z/ ]+)'
  const url_template = 'https://{a}{.b}.example.com{/a}{?b,c}{&a*}{#c:5}{+c}%ab$'
  await add(w.people.iago, { pattern, url_template })
  await w.people.hamlet.says('see F-x;y;z/ q')
  const [message] = (await w.people.hamlet.api.get('/messages', { anchor: 'newest', num_before: 1, num_after: 0 }))
    .messages
  assert.match(
    message.content,
    /href="https:\/\/x\.y\.example\.com\/x\?b=y&amp;c=z%2F%20q&amp;a=x#z\/%20qz\/%20q%ab\$"/,
  )
})

const orders: [order: (ids: readonly number[]) => unknown, msg: string][] = [
  [([a]) => [a], 'The ordered list must enumerate all existing linkifiers exactly once'],
  [([a, b]) => [a, b, 999], 'The ordered list must enumerate all existing linkifiers exactly once'],
  [([a]) => [a, 999], 'The ordered list must enumerate all existing linkifiers exactly once'],
  [([a, b]) => [a, b, b], 'The ordered list must not contain duplicated linkifiers'],
]

test('an order names each linkifier once', async () => {
  await using w = await world()
  const { iago } = w.people
  assert.equal((await iago.api.patch('/realm/linkifiers', { ordered_linkifier_ids: [] })).status, 200)
  const ids = [await add(iago, issue), await add(iago, ticket)]
  for (const [order, msg] of orders) {
    const answer = await iago.api.patch('/realm/linkifiers', { ordered_linkifier_ids: order(ids) })
    assert.deepEqual([answer.status, answer.msg], [400, msg])
  }
})

test('only administrators can change linkifiers, and only existing ones', async () => {
  await using w = await world()
  const { iago, hamlet } = w.people
  const id = await add(iago, issue)
  for (const answer of [
    await hamlet.api.post('/realm/filters', ticket),
    await hamlet.api.patch(`/realm/filters/${id}`, ticket),
    await hamlet.api.delete(`/realm/filters/${id}`),
    await hamlet.api.patch('/realm/linkifiers', { ordered_linkifier_ids: [id] }),
  ]) {
    assert.deepEqual(
      [answer.status, answer.code, answer.msg],
      [400, 'UNAUTHORIZED_PRINCIPAL', 'Must be an organization administrator'],
    )
  }
  for (const answer of [
    await iago.api.patch('/realm/filters/999', ticket),
    await iago.api.delete('/realm/filters/999'),
  ]) {
    assert.deepEqual([answer.status, answer.msg], [400, 'Linkifier not found.'])
  }
})

test('accepts a thousand linkifiers and no more', async () => {
  await using w = await world()
  const { iago } = w.people
  const rows = Array.from({ length: MAX_LINKIFIERS }, (_, i) => ({
    pattern: `P${i}-(?P<id>[0-9]+)`,
    url_template: 'https://example.com/{id}',
    alternative_url_templates: '[]',
    position: i,
  }))
  await iago.write(async (tx) => {
    await tx.db.insertInto('linkifier').values(rows).execute()
    linkifiersOf.invalidate(tx)
  })
  await assert.rejects(createLinkifier(iago, issue), { message: 'An organization can have at most 1000 linkifiers.' })
  assert.equal((await listLinkifiers(iago)).linkifiers.length, 1000)
  await w.people.hamlet.says('P1-1 and P999-2 and P1000-3')
  const [message] = (await iago.api.get('/messages', { anchor: 'newest', num_before: 1, num_after: 0 })).messages
  assert.equal(
    message.content,
    '<p><a href="https://example.com/1">P1-1</a> and <a href="https://example.com/2">P999-2</a> and P1000-3</p>',
  )
})

test('limits links in a message with very many matches and renders it quickly', async () => {
  await using w = await world()
  const { api } = w.people.iago
  await api.post('/realm/filters', { pattern: '#(?P<id>[0-9]+)', url_template: 'https://example.com/{id}' })
  const { rendered } = await api.post('/messages/render', { content: '#12 '.repeat(2500) })
  const links = rendered.match(/<a /g)?.length ?? 0
  assert.ok(links > 300 && links < 1000, String(links))
  assert.ok(rendered.includes('#12 #12'))
})

const reversible = {
  pattern: '(?P<repo>[a-z]+)#(?P<id>[0-9]+)',
  url_template: 'https://git.example.com/{repo}/issues/{id}',
  example_input: 'stage#12',
  reverse_template: '{repo}#{id}',
  alternative_url_templates: ['https://git.example.com/{repo}/pull/{id}'],
}

test('stores how a URL becomes the text of a match again', async () => {
  await using w = await world()
  const { iago } = w.people
  const id = await add(iago, reversible)
  assert.deepEqual(await list(iago), [{ id, ...reversible }])
  const { pattern, url_template } = reversible
  const change = (more: object) => iago.api.patch(`/realm/filters/${id}`, { pattern, url_template, ...more })
  assert.equal((await change({})).msg, '')
  assert.deepEqual(await list(iago), [{ id, ...reversible }])
  assert.equal((await change({ reverse_template: '{repo}{{#}}{id}', example_input: 'x' })).status, 400)
  assert.equal((await change({ example_input: '', reverse_template: '', alternative_url_templates: [] })).msg, '')
  assert.deepEqual(await list(iago), [{ id, pattern, url_template, ...oneWay }])
  const braces = { pattern: 'x\\{(?P<id>[0-9]+)\\}', url_template: 'https://example.com/{id}' }
  await add(iago, { ...braces, example_input: 'x{1}', reverse_template: 'x{{{id}}}' })
  assert.equal((await list(iago))[1].reverse_template, 'x{{{id}}}')
})

test('rejects reverse templates that do not lead back', async () => {
  await using w = await world()
  const { iago } = w.people
  for (const [more, field, msg] of [
    [{ example_input: '' }, 'reverse_template', 'A reverse template requires an example input.'],
    [{ example_input: 'see stage#12' }, 'example_input', "The example input doesn't match the pattern."],
    [
      { reverse_template: '{repo}/{id}' },
      'reverse_template',
      "The reverse template doesn't produce the example input.",
    ],
    [{ reverse_template: '{nr}' }, 'reverse_template', "Group 'nr' in the reverse template is not in the pattern."],
    [{ reverse_template: '{repo' }, 'reverse_template', 'Invalid reverse template.'],
    [
      { alternative_url_templates: ['https://x/{id}'] },
      'alternative_url_templates',
      "The variables in https://x/{id} don't match the groups in the pattern.",
    ],
    [{ alternative_url_templates: ['{'] }, 'alternative_url_templates', 'Invalid URL template: {'],
  ] as const) {
    const answer = await iago.api.post('/realm/filters', { ...reversible, ...more })
    assert.deepEqual([answer.status, answer.msg, answer.errors], [400, msg, { [field]: [msg] }])
  }
  assert.deepEqual(await list(iago), [])
})
