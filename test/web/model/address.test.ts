import assert from 'node:assert/strict'
import test from 'node:test'
import { narrowAddress, parseAddress } from '../../../web/model/state/address.ts'

test('parses URLs of rendered links as the server writes them', () => {
  assert.deepEqual(parseAddress('#narrow/channel/5-new-things/topic/what.20is.3F/near/120'), {
    view: 'feed',
    narrow: [
      { operator: 'channel', operand: 5 },
      { operator: 'topic', operand: 'what is?' },
    ],
    near: 120,
  })
  assert.deepEqual(parseAddress('#narrow/dm/7,9-group'), {
    view: 'feed',
    narrow: [{ operator: 'dm', operand: [7, 9] }],
    near: undefined,
  })
  assert.deepEqual(parseAddress('#narrow/-is/starred/stream/general'), {
    view: 'feed',
    narrow: [
      { operator: 'is', operand: 'starred', negated: true },
      { operator: 'channel', operand: 'general' },
    ],
    near: undefined,
  })
})

test('ignores unknown and malformed URLs', () => {
  assert.equal(parseAddress('#nowhere'), undefined)
  assert.equal(parseAddress(''), undefined)
  assert.deepEqual(parseAddress('#narrow/topic/.E0.A4'), {
    view: 'feed',
    narrow: [{ operator: 'topic', operand: '.E0.A4' }],
    near: undefined,
  })
})

test('a narrow survives a round trip through its URL', () => {
  for (const topic of ['plans', 'a/b (c). 100%', '日本 🎉', '', '-', 'near']) {
    const narrow = [
      { operator: 'channel', operand: 12 },
      { operator: 'topic', operand: topic },
    ]
    const address = narrowAddress(narrow, 3, () => 'any (name)')
    assert.deepEqual(parseAddress(address), { view: 'feed', narrow, near: 3 }, address)
  }
})
