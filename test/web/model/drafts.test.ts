import assert from 'node:assert/strict'
import test, { type TestContext } from 'node:test'
import { ConnectionError } from '../../../src/client/index.ts'
import type { Session } from '../../../web/model/state/session.ts'
import { draftsOf } from '../../../web/model/writing/drafts.ts'
import { writtenTexts } from '../../../web/model/writing/written.ts'

interface Asked {
  name: string
  params: Record<string, unknown>
  key: string | undefined
  answer(result?: object): void
  fail(error: Error): void
}

/** A session whose requests the test answers, and a function that brings events. */
function scene(t: TestContext) {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const asked: Asked[] = []
  let onChange = (_: object) => {}
  const client = new Proxy(
    {},
    {
      get: (_, name: string) => (params: Record<string, unknown>, options?: { idempotencyKey?: string }) =>
        new Promise((answer, fail) => asked.push({ name, params, key: options?.idempotencyKey, answer, fail })),
    },
  )
  const state = {
    user_id: 1,
    drafts: [] as object[],
    max_message_length: 100,
    user_settings: { enable_drafts_synchronization: true },
  }
  const session = {
    state,
    client,
    live: { onChange: (listener: typeof onChange) => (onChange = listener) },
    connection: { peek: () => ({ status: 'online' }) },
    cachedAt: { peek: () => undefined },
  } as unknown as Session
  const drafts = draftsOf(session)
  const stateOf = (key: string) => writtenTexts(session).get(key)!.state.name
  /** Has an event change the live drafts. */
  const brings = (...live: object[]) => {
    state.drafts = live
    onChange({ type: 'event', event: { type: 'drafts' } })
  }
  const reconnects = () => onChange({ type: 'connection', connection: { status: 'online' } })
  const quiet = () => t.mock.timers.tick(1000)
  const turn = () => new Promise((resolve) => setImmediate(resolve))
  return { drafts, asked, stateOf, brings, reconnects, quiet, turn, session }
}

const plans = { type: 'stream', stream_id: 5, topic: 'plans' } as const
const live = (id: number, content: string, topic = 'plans') => ({
  ...{ id, content, topic, type: 'stream', to: [5] },
  timestamp: id,
})

test('a draft is writing, saving, answered and saved', async (t) => {
  const { drafts, asked, stateOf, brings, quiet, turn } = scene(t)
  const { key } = drafts.at(plans)
  assert.equal(stateOf(key), 'saved')
  drafts.write(key, 'To be')
  assert.deepEqual([stateOf(key), asked.length], ['writing', 0])
  quiet()
  assert.deepEqual([stateOf(key), asked[0]!.name], ['saving', 'createDrafts'])
  asked[0]!.answer({ ids: [7] })
  await turn()
  assert.equal(stateOf(key), 'answered')
  // An event from before the answer.
  brings(live(3, 'Other', 'elsewhere'))
  assert.deepEqual([stateOf(key), drafts.at(plans).text], ['answered', 'To be'])
  brings(live(7, 'To be'))
  assert.equal(stateOf(key), 'saved')
  // Another device changes it, and sends it.
  brings(live(7, 'To be, or'))
  assert.equal(drafts.at(plans).text, 'To be, or')
  brings()
  assert.equal(drafts.at(plans).text, '')
})

test('text typed while a draft is being saved is saved after the answer', async (t) => {
  const { drafts, asked, stateOf, quiet, turn } = scene(t)
  const { key } = drafts.at(plans)
  drafts.write(key, 'To be')
  quiet()
  drafts.write(key, 'To be, or')
  quiet()
  assert.equal(asked.length, 1)
  asked[0]!.answer({ ids: [7] })
  await turn()
  assert.deepEqual([stateOf(key), asked[1]!.name, asked[1]!.params.draft_id], ['saving', 'updateDraft', 7])
})

test('a lost answer keeps the text, and the request is repeated with its key', async (t) => {
  const { drafts, asked, stateOf, reconnects, brings, quiet, turn } = scene(t)
  const { key } = drafts.at(plans)
  drafts.write(key, 'To be')
  quiet()
  asked[0]!.fail(new ConnectionError('lost'))
  await turn()
  assert.equal(stateOf(key), 'kept')
  // The text was sent as a message in between.
  drafts.write(key, '')
  drafts.save(key)
  assert.deepEqual([asked[1]!.name, asked[1]!.key], ['createDrafts', asked[0]!.key])
  brings(live(7, 'To be'))
  assert.equal(drafts.at(plans).text, '', 'the draft of a sent text does not come back')
  asked[1]!.answer({ ids: [7] })
  await turn()
  assert.deepEqual([asked[2]!.name, asked[2]!.params.draft_id], ['deleteDraft', 7])
  asked[2]!.fail(new ConnectionError('lost'))
  await turn()
  assert.equal(stateOf(key), 'kept')
  reconnects()
  assert.equal(asked[3]!.name, 'deleteDraft')
  asked[3]!.answer()
  await turn()
  assert.equal(stateOf(key), 'answered')
  assert.equal(drafts.at(plans).text, '')
  brings()
  assert.equal(stateOf(key), 'saved')
})

test('texts for the same recipients stay apart, and the last one opened is shown', async (t) => {
  const { drafts, brings, session } = scene(t)
  const nobody = (id: number, content: string) => ({ ...live(id, content, ''), type: 'private', to: [] })
  brings(nobody(1, 'First'), nobody(2, 'Second'))
  const to = { type: 'direct', user_ids: [] } as const
  assert.equal(drafts.at(to).text, 'Second')
  drafts.open(session.state.drafts[0]!)
  const first = drafts.at(to)
  assert.equal(first.text, 'First')
  drafts.readdress(first.key, plans)
  assert.deepEqual([drafts.at(to).text, drafts.at(plans).text], ['Second', 'First'])
})

test('only the browser keeps a text that is too long for the server', async (t) => {
  const { drafts, asked, stateOf, quiet } = scene(t)
  const { key } = drafts.at(plans)
  drafts.write(key, 'x'.repeat(101))
  quiet()
  assert.deepEqual([stateOf(key), asked.length], ['kept', 0])
})
