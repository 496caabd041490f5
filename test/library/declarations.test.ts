import assert from 'node:assert/strict'
import test from 'node:test'
import { actions, apiTypes } from '../../scripts/declarations.ts'

test('every action has named types with descriptions and limits', () => {
  const text = apiTypes()
  for (const name of actions().keys()) {
    const type = name[0]!.toUpperCase() + name.slice(1)
    assert.match(text, new RegExp(`export (?:interface|type) ${type}Params\\b`), name)
    assert.match(text, new RegExp(`export (?:interface|type) ${type}Result\\b`), name)
  }
  const [params = ''] = /export interface SendMessageParams \{[\s\S]*?\n\}/.exec(text) ?? []
  assert.match(params, /\/\*\* The text, in Markdown, at most 10,000 bytes\. \*\/\ncontent: string;/)
  assert.match(params, /At most 1000 characters\. \*\/\nqueue_id\?: string \| null \| undefined;/)
})

test('events have a type for readers and one for the log', () => {
  const text = apiTypes()
  assert.match(text, /export interface Events \{[\s\S]*message: MessageEvent;/)
  assert.match(text, /export interface LoggedEvents \{[\s\S]*message: MessageLoggedEvent;/)
})
