import assert from 'node:assert/strict'
import { knownError, refusal } from '../../src/http/responses.ts'

/** Asserts that a client would be answered 503, with the time after which to try again. */
export async function isRefused(work: Promise<unknown>): Promise<void> {
  const error = await work.then(
    () => undefined,
    (thrown: unknown) => thrown,
  )
  const answer = refusal(knownError(error)!)
  assert.equal(answer.status, 503)
  assert.ok(Number(answer.headers.get('retry-after')) > 0)
}
