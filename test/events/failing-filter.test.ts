import assert from 'node:assert/strict'
import test from 'node:test'
import { busOf } from '../../src/core/events/log/bus.ts'
import { subscribeToEvents } from '../../src/core/events/queues/subscribe.ts'
import { world } from '../../src/testing/index.ts'
import { eventually } from '../eventually.ts'

/** A list of types that throws once when it is asked after `fails.next` was set. */
function failingTypes(fails: { next: boolean }): 'message'[] {
  const types: 'message'[] = ['message']
  types.includes = (type) => {
    if (!fails.next) return type === 'message'
    fails.next = false
    throw new Error('the filter failed')
  }
  return types
}

test('a filter that throws after a commit is logged, and every reader gets the event', async () => {
  const errors: unknown[] = []
  const logger = { info() {}, warn() {}, error: (details: { err?: Error }) => void errors.push(details.err?.message) }
  await using w = await world({ chat: { logger } })
  const { hamlet, cordelia, iago } = w.people
  const fails = { next: false }
  const failing = subscribeToEvents<'message'>(hamlet, { types: failingTypes(fails) })[Symbol.asyncIterator]()
  const healthy = subscribeToEvents<'message'>(cordelia, { types: ['message'] })[Symbol.asyncIterator]()
  const waiting = [failing.next(), healthy.next()]
  await eventually('both wait', () => busOf(w.chat).waiting() === 2)
  fails.next = true
  const { id } = await iago.says('one')
  const received = await Promise.all(waiting)
  assert.deepEqual(
    received.map((one) => one.done || one.value.message.id),
    [id, id],
  )
  assert.deepEqual(errors, ['the filter failed'])
  await Promise.all([failing.return?.(), healthy.return?.()])
})
