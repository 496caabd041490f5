import assert from 'node:assert/strict'
import test from 'node:test'
import { fromSlack } from '../../src/import/markup/slack.ts'
import { world } from '../../src/testing/index.ts'
import { ArchiveFolder, importInto } from './archives.ts'
import { root, slackExport } from './slack-export.ts'

const names = {
  user: (id: string) => (id === 'U1' ? 'Ann' : undefined),
  channel: (id: string) => (id === 'C1' ? 'kitchen' : undefined),
  group: (id: string) => (id === 'S1' ? 'cooks' : undefined),
}

const markup: [string, string][] = [
  ['*bold* _italic_ ~gone~', '**bold** *italic* ~~gone~~'],
  ['a*b*c snake_case_name 2 * 3 * 4', 'a*b*c snake_case_name 2 * 3 * 4'],
  ['*_both_*', '***both***'],
  ['`*code*` *b*', '`*code*` **b**'],
  ['```x *y* <https://a.example|A>```', '```\nx *y* A\n```'],
  ['<@U1|ann> <@U2> <@U3|cid>', '\u0002silent:U1\u0003 @U2 @cid'],
  ['<#C1|kitchen> <#C9|gone>', '\u0002channel:C1\u0003 #gone'],
  ['<!here> <!channel> <!subteam^S1|@cooks> <!subteam^S2|@bakers>', '@here @channel \u0002group:S1\u0003 @bakers'],
  ['<https://a.example/?x=1&amp;y=2|site> <https://b.example>', '[site](https://a.example/?x=1&y=2) https://b.example'],
  ['<mailto:ann@example.com|ann@example.com>', 'ann@example.com'],
  ['<!date^1355517523^{date}|then>', '<time:2012-12-14T20:38:43Z>'],
  ['&lt;b&gt; &amp;amp;', '<b> &amp;'],
  ['&gt; quoted\nnot', '> quoted\nnot'],
  ['&gt;&gt;&gt;all\nof it', '> all\n> of it'],
  ['• one\n• two', '* one\n* two'],
  [':wave::skin-tone-3: :flag-de: :ok:', ':wave: :flag_germany: :squared_ok:'],
]

test('converts the markup of Slack', () => {
  for (const [from, to] of markup) assert.equal(fromSlack(from, names), to, from)
})

const all = (narrow: object[] = []) => ({
  anchor: 'oldest',
  num_before: 0,
  num_after: 100,
  narrow,
  apply_markdown: false,
})

test('imports a Slack export with threads, bots, files and conversations', async () => {
  await using w = await world()
  using archive = new ArchiveFolder(slackExport())
  const { report, import_id } = await importInto(w.chat, archive)
  assert.equal(import_id, 1)
  const { members } = await w.iago.api.get('/users')
  const member = (name: string) => members.find((user: { full_name: string }) => user.full_name === name)
  assert.deepEqual([member('Ann').role, member('Bob').is_active, member('Cid').is_active], [100, false, false])
  assert.deepEqual([member('Robot').is_bot, member('Zoe').is_active, member('Deploy').is_bot], [true, false, true])

  const { messages } = await w.cordelia.api.get('/messages', all([{ operator: 'channel', operand: 'kitchen' }]))
  const shown = messages.map((one: { subject: string; sender_full_name: string; content: string }) => [
    one.subject,
    one.sender_full_name,
    one.content.replace(/user_uploads\S+/, 'user_uploads'),
  ])
  const lunch = 'What is for lunch today, @Bob?'
  const rest = 'imported from Slack'
  assert.deepEqual(shown, [
    [lunch, 'Ann', `What is for **lunch** today, @_**Bob|${member('Bob').user_id}**?`],
    [lunch, 'Bob', 'soup'],
    [rest, 'Zoe', 'from elsewhere'],
    [rest, 'Robot', 'beep'],
    [rest, 'Deploy', '[Build](https://ci.example/1)\npassed'],
    [rest, 'Ann', '/me waves'],
    [rest, 'Ann', 'a menu\n[menu.txt](/user_uploads\n[lost.txt](https://files.example/F2)'],
    [lunch, 'Ann', 'more'],
    [rest, 'Ann', 'another day'],
  ])
  assert.deepEqual(
    messages.map((one: { timestamp: number }) => one.timestamp - root),
    [10, 11, 20, 21, 22, 23, 24, 90_000, 90_001],
  )
  assert.deepEqual(
    messages[1].reactions.map((reaction: { user_id: number }) => reaction.user_id),
    [member('Ann').user_id, member('Cid').user_id],
  )
  const pins = await w.cordelia.api.get(`/streams/${await w.streamId('kitchen')}/pinned_messages`)
  assert.deepEqual(
    pins.pinned_messages.map((pin: { message_id: number; user_id: number }) => [pin.message_id, pin.user_id]),
    [[messages[0].id, member('Ann').user_id]],
  )
  const left = Object.fromEntries(report.left_out.map(({ kind, reason, count }) => [`${kind}: ${reason}`, count]))
  assert.deepEqual(left, {
    'user: a Slack placeholder': 1,
    'picture: the archive contains only its URL': 1,
    'message: a notice (channel_join)': 1,
    'message: it has no text and no file': 1,
    "reaction: the export doesn't say who added it": 1,
    'file: the archive contains only its URL': 1,
    "integration log: it isn't supported": 2,
  })
  // Each message of the source is imported or left out.
  assert.equal(report.found.message, 14)
  assert.equal(report.imported.message, 12)
  assert.equal(report.found.message, report.imported.message! + 2)
})

test('splits channels into topics by day or by silence', async () => {
  for (const [topics, expected] of [
    ['by-day', 2],
    [{ gap: 3600 }, 2],
    ['one', 1],
  ] as const) {
    await using w = await world()
    using archive = new ArchiveFolder(slackExport())
    await importInto(w.chat, archive, { topics })
    const { topics: found } = await w.iago.api.get(`/users/me/${await w.streamId('kitchen')}/topics`)
    assert.equal(found.length, expected + 1)
  }
})

test('a map file decides accounts, stubs and people to skip', async () => {
  await using w = await world()
  using archive = new ArchiveFolder(slackExport())
  const mapping = new Map([
    ['U1', w.hamlet.email],
    ['bob@example.com', 'stub'],
    ['U3', 'skip'],
  ])
  const { report } = await importInto(w.chat, archive, { mapping })
  assert.deepEqual(report.people, { matched: 1, created: 1, stubs: 3, skipped: 1 })
  const { messages } = await w.cordelia.api.get('/messages', all([{ operator: 'channel', operand: 'kitchen' }]))
  assert.equal(messages[0].sender_id, w.hamlet.id)
  assert.ok(report.left_out.some(({ reason, count }) => reason === 'the map file skips its sender' && count === 2))
})
