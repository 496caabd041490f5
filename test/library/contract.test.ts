import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as v from 'valibot'
import { only } from '../../src/core/events/log/audience.ts'
import { emit } from '../../src/core/events/log/emit.ts'
import { publicAction } from '../../src/core/kernel/action.ts'
import { contextOf } from '../../src/core/kernel/context.ts'
import { openChat } from '../../src/core/open-chat.ts'
import { world } from '../../src/testing/world.ts'

const answering = (answer: object) =>
  publicAction(
    { name: 'answering', summary: 'Answer', params: v.object({}), result: v.strictObject({ count: v.number() }) },
    async () => answer as { count: number },
  )

test('an answer that violates its schema fails in a test world', async () => {
  await using w = await world()
  const context = contextOf(w.chat)
  assert.deepEqual(await answering({ count: 3 })(context), { count: 3 })
  const wrong = [{}, { count: '3' }, { count: null }, { count: 3, more: true }, { count: Number.NaN }]
  for (const answer of wrong) {
    await assert.rejects(answering(answer)(context), /^Error: the answer of answering breaks its contract at /)
  }
})

test('an event that violates its schema fails in a test world and writes nothing', async () => {
  await using w = await world()
  const { hamlet } = w.people
  const wrong = { type: 'alert_words', alert_words: ['skull', 7] } as never
  await assert.rejects(
    hamlet.write((tx) => emit(tx, wrong, only(hamlet.id))),
    /^Error: an event of type alert_words breaks its contract at alert_words.1:/,
  )
  assert.deepEqual(await w.events(), [])
})

test("doesn't check answers outside test worlds", async () => {
  await using chat = await openChat()
  assert.deepEqual(await answering({ count: '3' })(contextOf(chat)), { count: '3' })
})

test('a stack trace names the action', async () => {
  await using chat = await openChat()
  const fail = async (): Promise<never> => {
    throw new Error('broken')
  }
  const failing = publicAction({ name: 'failing', summary: 'Fail', params: v.object({}), result: v.any() }, fail)
  assert.equal(failing.name, 'failing')
  await assert.rejects(failing(contextOf(chat)), (error: Error) => /at .*\bfailing /.test(error.stack ?? ''))
})
