import assert from 'node:assert/strict'
import test from 'node:test'
import { ChatError } from '../../../src/client/index.ts'
import { wording } from '../../../web/model/state/wording.ts'
import '../../../web/view/parts/problem-words.ts'

const worded = (code: ConstructorParameters<typeof ChatError>[0], message: string) =>
  wording.of?.(new ChatError(code, message))

test('the page shows its own text for error codes', () => {
  assert.equal(
    worded('RATE_LIMIT_HIT', 'API usage exceeded rate limit'),
    'Too many requests. Wait a moment and try again.',
  )
  assert.equal(
    worded('STREAM_DOES_NOT_EXIST', "Channel 'x' does not exist"),
    worded('BAD_REQUEST', 'Invalid stream ID'),
  )
  assert.equal(
    worded('TOO_LARGE', 'Uploaded file is larger than the allowed limit of 25 MiB'),
    'This is larger than the server allows. The limit is 25 MiB.',
  )
  assert.equal(
    worded('TOO_LARGE', 'Too large'),
    'This is larger than the server allows. Make it smaller and try again.',
  )
})

test('the page keeps the server’s message where it says more than the code', () => {
  assert.equal(worded('BAD_REQUEST', 'Topic names have at most 60 characters.'), undefined)
  assert.equal(worded('BAD_INVITATION', 'This invitation has expired.'), undefined)
  assert.equal(
    worded('BAD_REQUEST', 'full_name is too long (limit: 100 characters)'),
    'This text is too long (limit: 100 characters).',
  )
})
