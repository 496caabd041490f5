import assert from 'node:assert/strict'
import test from 'node:test'
import { newest, post, withWebhook } from './receive.ts'

const TEMPLATES = '/realm/webhook_templates'

async function withTemplate(texts: Readonly<Record<string, string>>) {
  const made = await withWebhook()
  const { iago } = made.w.people
  const { id, ...answer } = await iago.api.post(TEMPLATES, { name: 'ci', ...texts })
  assert.equal(answer.result, 'success', answer.msg)
  return { ...made, iago, id: id as number, path: `ci?api_key=${made.key}&stream=general` }
}

test('an integration made from templates announces any JSON', async () => {
  const content = '**{{ title | link: url }}**{% for test in failed %}\n* {{ test.name | code }}{% endfor %}'
  const { w, path } = await withTemplate({ content, topic: '{{ project.name }}' })
  await using _ = w
  const json = {
    title: 'a]b',
    url: 'https://x.test/1',
    project: { name: 'app' },
    failed: [{ name: 'one' }, { name: '`2' }],
  }
  assert.equal((await post(w, path, { json })).status, 200)
  assert.deepEqual(await newest(w), {
    place: 'general > app',
    content: '**[a］b](https://x.test/1)**\n* `one`\n* `2`',
    sender_full_name: 'Grave',
  })
  await post(w, path, { json: { title: '@**all**' } })
  assert.deepEqual(await newest(w), { place: 'general > ci', content: '**@\u200b**all****', sender_full_name: 'Grave' })
})

test('an empty template ignores the payload, and addresses select events', async () => {
  const { w, path, bot_id } = await withTemplate({
    event: '{{ kind }}',
    content: '{% if loud %}{{ payload.kind }}{% endif %}',
  })
  await using _ = w
  for (const [more, json] of [
    ['', { kind: 'quiet' }],
    ['&only_events=["deploy*"]', { kind: 'build', loud: true }],
    ['&only_events=["deploy*"]', { kind: 'deployed', loud: true }],
  ] as const)
    assert.equal((await post(w, path + more, { json })).status, 200)
  const { deliveries } = await w.people.hamlet.api.get(`/bots/${bot_id}/deliveries`)
  assert.deepEqual(
    deliveries.map(({ outcome, detail }: { outcome: string; detail: string }) => [outcome, detail]),
    [
      ['sent', ''],
      ['ignored', 'The address selects other events than build.'],
      ['ignored', 'The template makes no message of this payload.'],
    ],
  )
  assert.equal((await newest(w)).content, 'deployed')
})

test('administrators list, change and remove integrations, and their addresses follow', async () => {
  const { w, iago, id, key } = await withTemplate({ content: 'one' })
  await using _ = w
  const say = async (name: string) => (await post(w, `${name}?api_key=${key}&stream=general`, { json: {} })).status
  assert.equal((await iago.api.patch(`${TEMPLATES}/${id}`, { name: 'tests', content: 'two' })).result, 'success')
  assert.deepEqual([await say('ci'), await say('tests')], [400, 200])
  assert.equal((await newest(w)).content, 'two')
  const { webhook_templates } = await iago.api.get(TEMPLATES)
  assert.deepEqual(webhook_templates, [{ id, name: 'tests', event: '', topic: '', content: 'two' }])
  assert.equal((await iago.api.delete(`${TEMPLATES}/${id}`)).result, 'success')
  assert.equal(await say('tests'), 400)
  for (const gone of [await iago.api.delete(`${TEMPLATES}/${id}`), await iago.api.patch(`${TEMPLATES}/${id}`, {})])
    assert.equal(gone.msg, 'Invalid template')
})

test('rejects names that are taken, and templates with errors or without an end', async () => {
  const { w, iago, id } = await withTemplate({ content: 'x' })
  await using _ = w
  const create = async (params: object) =>
    (await iago.api.post(TEMPLATES, { name: 'new', content: 'x', ...params })).msg
  for (const name of ['ci', 'github', 'slack'])
    assert.equal(await create({ name }), `There already is an integration "${name}".`)
  assert.match(await create({ name: '../x' }), /lower-case/)
  assert.match(await create({ content: '{% if %}' }), /The template of "content" has an error/)
  for (const content of ['{% include "x" %}', '{% render "x" %}', '{% layout "x" %}', '{{ x | date: "%5000000d" }}'])
    assert.match(await create({ content }), /has an error/, content)
  assert.match((await iago.api.patch(`${TEMPLATES}/${id}`, { topic: '{{' })).msg, /"topic" has an error/)
  assert.match(await create({ content: 'x'.repeat(10_001) }), /too long/)
})

test('a template reads the payload but nothing of the program, and ends at limits', async () => {
  const { w, iago } = await withTemplate({ content: 'x' })
  await using _ = w
  const tried = (content: string, payload: unknown = {}) =>
    iago.api.post(`${TEMPLATES}/test`, { content, topic: 't', payload: JSON.stringify(payload) })
  for (const content of [
    '{{ payload.constructor }}',
    '{{ payload.__proto__ }}',
    '{{ payload.a.toString }}',
    '{{ process }}',
  ])
    assert.deepEqual((await tried(`${content}|`, { a: 'x' })).content, '|', content)
  for (const content of [
    '{% for i in (1..5000) %}{% for j in (1..5000) %}{{ j }}{% endfor %}{% endfor %}',
    '{% for i in (1..100000000) %}{% endfor %}',
    '{% assign a = "xxxxxxxxxx" %}{% for i in (1..40) %}{% assign a = a | append: a %}{% endfor %}',
  ])
    assert.match((await tried(content)).msg, /"content" has an error: .*limit/, content)
  assert.equal((await tried('{{ a }}', { a: 'x'.repeat(20_000) })).content.length, 4000)
  assert.equal((await tried('{{ a }}', { a: [1, { b: null }] })).content, '[1,{"b":null}]')
})

test('administrators try templates on the last payload of a bot', async () => {
  const { w, iago, path, bot_id } = await withTemplate({ content: 'x' })
  await using _ = w
  const params = { content: '{{ a }}', topic: '{{ b }}', event: 'done' }
  const tryOut = (more: object) => iago.api.post(`${TEMPLATES}/test`, { ...params, ...more })
  assert.match((await tryOut({})).msg, /Give either/)
  assert.match((await tryOut({ bot_id })).msg, /no payload/)
  await post(w, path, { json: { a: 1, b: 'two' } })
  const { event, topic, content, payload } = await tryOut({ bot_id })
  assert.deepEqual(
    { event, topic, content, payload },
    { event: 'done', topic: 'two', content: '1', payload: '{"a":1,"b":"two"}' },
  )
  const empty = await tryOut({ bot_id, content: '{{ c }}' })
  assert.deepEqual([empty.topic, empty.content], [null, null])
  assert.equal((await tryOut({ payload: '{' })).code, 'INVALID_JSON')
  const refused = await w.people.hamlet.api.post(`${TEMPLATES}/test`, { ...params, bot_id })
  assert.equal(refused.code, 'UNAUTHORIZED_PRINCIPAL')
})

test('says which template has an error, so that forms can show it there', async () => {
  const { w, iago, id, bot_id } = await withTemplate({ content: 'x' })
  await using _ = w
  const test = (params: object) => iago.api.post(`${TEMPLATES}/test`, { content: 'x', payload: '{}', ...params })
  const answers = {
    content: await test({ content: '{% if %}' }),
    topic: await test({ topic: '{{ "a" | nothing }}' }),
    event: await iago.api.patch(`${TEMPLATES}/${id}`, { event: '{{' }),
    name: await iago.api.post(TEMPLATES, { name: 'github', content: 'x' }),
    payload: await test({ payload: '{' }),
    bot_id: await iago.api.post(`${TEMPLATES}/test`, { content: 'x', bot_id }),
  }
  for (const [field, { msg, errors }] of Object.entries(answers)) assert.deepEqual(errors, { [field]: [msg] })
})

test('clients find templates among the integrations, and events announce changes', async () => {
  const { w, iago, id } = await withTemplate({ content: 'x' })
  await using _ = w
  const integration = (name: string, all_event_types: null | [] = null) => ({
    name,
    display_name: name,
    all_event_types,
    config_options: [],
    url_options: [],
  })
  const { realm_incoming_webhook_bots: all, ...queue } = await w.people.hamlet.api.post('/register', {
    event_types: ['realm_incoming_webhook_bots'],
  })
  const names = all.map(({ name }: { name: string }) => name)
  assert.deepEqual(names, names.toSorted())
  assert.deepEqual(
    all.find(({ name }: { name: string }) => name === 'ci'),
    integration('ci'),
  )
  assert.ok(names.includes('github'))
  await iago.api.post(TEMPLATES, { name: 'new', content: 'x' })
  await iago.api.patch(`${TEMPLATES}/${id}`, {})
  await iago.api.patch(`${TEMPLATES}/${id}`, { name: 'tests', event: '{{ kind }}' })
  await iago.api.delete(`${TEMPLATES}/${id}`)
  const { events } = await w.people.hamlet.api.get('/events', { ...queue, dont_block: true })
  assert.deepEqual(
    events.map(({ id: _, type: __, ...event }: { id: number; type: string }) => event),
    [
      { op: 'add', integration: integration('new') },
      { op: 'update', name: 'ci', integration: integration('tests', []) },
      { op: 'remove', name: 'tests' },
    ],
  )
})
