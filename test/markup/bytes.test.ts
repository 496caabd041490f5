import assert from 'node:assert/strict'
import test from 'node:test'
import { serialize } from 'node:v8'
import { render } from '../../src/core/markup/render/render.ts'
import { onlyOnSqlite } from '../dialect.ts'
import { context } from './context.ts'

/** The mark of a text of one byte a character, after the two bytes of the format's version. */
const ONE_BYTE = '"'.charCodeAt(0)

test('renders ASCII as a text of one byte a character', onlyOnSqlite('renders text, and no database'), () => {
  const texts = ['**bold**', '`code`', 'see https://example.com/page now', ':smile: and @**Iago**', '```\ncode\n```']
  for (const text of texts) assert.equal(serialize(render(text, context).html)[2], ONE_BYTE, text)
})
