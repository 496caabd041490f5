import assert from 'node:assert/strict'
import test from 'node:test'
import { filled } from '../../../src/core/bots/incoming/services/json.ts'
import { newest, post, withWebhook } from './receive.ts'

test("shows any JSON unchanged, or through the bot's template", async () => {
  const { w, key, bot_id } = await withWebhook()
  await using _ = w
  const path = `json?api_key=${key}&stream=general`
  const json = { title: 'Alas', user: { name: 'Yorick' }, count: 3 }
  await post(w, path, { json })
  const { place, content } = await newest(w)
  assert.deepEqual([place, content], ['general > JSON', `\`\`\`json\n${JSON.stringify(json, undefined, 2)}\n\`\`\``])
  const config_data = { template: '**{title}** by {user.name} ({count})', topic_template: 'about {user.name}' }
  await w.people.hamlet.api.patch(`/bots/${bot_id}`, { config_data })
  await post(w, path, { json })
  assert.deepEqual(await newest(w), {
    place: 'general > about Yorick',
    content: '**Alas** by Yorick (3)',
    sender_full_name: 'Grave',
  })
  await w.people.hamlet.api.patch(`/bots/${bot_id}`, { config_data: { template: '{nothing}' } })
  const empty = await post(w, path, { json })
  assert.deepEqual([empty.status, empty.msg], [400, 'Message must not be empty'])
})

test('a template reads the payload but nothing of the program', () => {
  const payload = { a: { b: [{ c: 'x' }] }, n: null, o: { p: 1 } }
  const cases = [
    ['{a.b.0.c}', 'x'],
    ['{a.b.1.c}{none}{n}', ''],
    ['{o}', '{"p":1}'],
    ['{constructor}{a.toString}{__proto__.x}', ''],
    ['{ a } {} {a b}', '{ a } {} {a b}'],
  ] as const
  for (const [template, text] of cases) assert.equal(filled(template, payload), text)
  assert.equal(filled('{x}', { x: '@**all**' }), '@\u200b**all**')
})
