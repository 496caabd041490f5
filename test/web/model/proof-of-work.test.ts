import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import test from 'node:test'
import { sha256 } from '../../../web/model/sign-up/sha256.ts'
import { solve } from '../../../web/model/sign-up/solve.ts'

const hexOf = (text: string) => [...sha256(text)].map((word) => word.toString(16).padStart(8, '0')).join('')

test('hashes texts of every length as the platform does', () => {
  for (let length = 0; length < 200; length++) {
    const text = Array.from({ length }, (_, i) => String.fromCharCode(32 + ((i * 7 + length) % 95))).join('')
    assert.equal(hexOf(text), createHash('sha256').update(text).digest('hex'), `${length}`)
  }
})

test('finds the number of a challenge, also the first and the last', async () => {
  for (const number of [0, 1234, 3000]) {
    const challenge = createHash('sha256').update(`salt.1${number}`).digest('hex')
    assert.equal(await solve({ challenge, salt: 'salt.1', max: 3000 }), number)
  }
  const challenge = createHash('sha256').update('another').digest('hex')
  await assert.rejects(solve({ challenge, salt: 'x', max: 100 }), /no solution/)
})
