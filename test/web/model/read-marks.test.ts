import assert from 'node:assert/strict'
import test, { mock } from 'node:test'
import { markUnreadFrom } from '../../../web/model/reading/mark-read.ts'
import { readMarks } from '../../../web/model/reading/read-marks.ts'
import type { Session } from '../../../web/model/state/session.ts'

/** A session whose messages are all unread, as far as is known here, and what it asks the server for. */
function unreadSession() {
  const asked: string[] = []
  const answers: (() => void)[] = []
  const client = {
    async updateFlags({ op, messages }: { op: string; messages: readonly number[] }) {
      asked.push(`${op} ${messages}`)
      await new Promise<void>((resolve) => answers.push(resolve))
    },
  }
  const feed = () => ({ spans: [{ from: 0, to: Number.POSITIVE_INFINITY, ids: [1, 2, 3] }] })
  const session = { client, messages: { get: (id: number) => ({ id, flags: [] }), feed } } as unknown as Session
  return { session, asked, answers }
}

test('marking as unread beats an earlier pending mark as read', async (t) => {
  mock.timers.enable({ apis: ['setTimeout'] })
  t.after(() => mock.timers.reset())
  const { session, asked, answers } = unreadSession()
  readMarks(session).seen([1, 2, 3])
  const done = markUnreadFrom(session, [], 2)
  mock.timers.tick(1000)
  await Promise.resolve()
  // What is above was seen all the same.
  assert.deepEqual(asked.toSorted(), ['add 1', 'remove 2,3'])
  for (const answer of answers) answer()
  await done
})

test('marks a message as unread after a pending mark as read', async (t) => {
  mock.timers.enable({ apis: ['setTimeout'] })
  t.after(() => mock.timers.reset())
  const { session, asked, answers } = unreadSession()
  readMarks(session).seen([1, 2, 3])
  mock.timers.tick(1000)
  const done = markUnreadFrom(session, [], 2)
  await new Promise(setImmediate)
  assert.deepEqual(asked, ['add 1,2,3'])
  answers.shift()!()
  await new Promise(setImmediate)
  assert.deepEqual(asked, ['add 1,2,3', 'remove 2,3'])
  answers.shift()!()
  await done
})
