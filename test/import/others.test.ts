import assert from 'node:assert/strict'
import test from 'node:test'
import { world } from '../../src/testing/index.ts'
import { ArchiveFolder, importInto } from './archives.ts'
import { at, discordExport, lines, mattermostExport, ms, rocketBson, rocketJson } from './exports.ts'

const all = (narrow: object[] = []) => ({
  anchor: 'oldest',
  num_before: 0,
  num_after: 100,
  narrow,
  apply_markdown: false,
})

async function imported(files: Record<string, string | Uint8Array | object>) {
  await using w = await world()
  using archive = new ArchiveFolder(files)
  const { report } = await importInto(w.chat, archive)
  const { messages } = await w.iago.api.get('/messages', all([{ operator: 'channel', operand: 'kitchen' }]))
  const { members } = await w.iago.api.get('/users')
  const name = (id: number) => members.find((one: { user_id: number }) => one.user_id === id)?.full_name
  return {
    report,
    people: members
      .filter((one: { delivery_email: string }) => /^(ann|bob)@/.test(one.delivery_email ?? ''))
      .map((one: { full_name: string; role: number; is_active: boolean }) => [one.full_name, one.role, one.is_active]),
    messages: messages.map((one: { subject: string; sender_full_name: string; content: string; timestamp: number }) => [
      one.timestamp - at,
      one.subject,
      one.sender_full_name,
      one.content
        .replace(/\|\d+\*\*/g, '**')
        .replace(/user_uploads\/[^)]*/, 'file')
        .replace(/@\d+\*\*/, '@1**'),
    ]),
    reactions: messages.flatMap((one: { reactions: { emoji_name: string; user_id: number }[] }) =>
      one.reactions.map(({ emoji_name, user_id }) => [emoji_name, name(user_id)]),
    ),
    left: Object.fromEntries(report.left_out.map(({ kind, reason, count }) => [`${kind}: ${reason}`, count])),
  }
}

test('imports a bulk export of Mattermost', async () => {
  const { report, people, messages, reactions, left } = await imported(mattermostExport())
  assert.equal(report.source, 'mattermost')
  assert.deepEqual(people, [
    ['Ann Cook', 200, true],
    ['bob', 400, false],
  ])
  const thread = 'Hello **all**, @bob. See ~kitchen :+1:'
  assert.deepEqual(messages, [
    [10, thread, 'Ann Cook', 'Hello **all**, @_**bob**. See #**kitchen** :+1:'],
    [12, 'imported from Mattermost', 'Ann Cook', 'a file\n[soup.txt](/file)'],
    [20, thread, 'bob', 'hi'],
  ])
  assert.deepEqual(reactions, [['pan', 'Ann Cook']])
  assert.deepEqual(left, { 'message: a notice': 1, 'password: its kind is unknown. They need a link to set one': 1 })
})

test('imports a dump of Rocket.Chat, as BSON and as JSON', async () => {
  const fromJson = await imported(rocketJson())
  const fromBson = await imported(rocketBson())
  assert.deepEqual(fromBson, fromJson)
  const { report, people, messages, reactions, left } = fromJson
  assert.equal(report.source, 'rocketchat')
  assert.deepEqual(people, [
    ['Ann Cook', 200, true],
    ['Bob', 400, false],
  ])
  const thread = 'Hello *all*, @bob. See #kitchen'
  assert.deepEqual(messages, [
    [10, thread, 'Ann Cook', 'Hello **all**, @_**Bob**. See #**kitchen**'],
    [12, 'imported from Rocket.Chat', 'Ann Cook', 'a file\n[soup.txt](/file)'],
    [20, thread, 'Bob', 'hi'],
    [30, 'What to cook', 'Ann Cook', 'soup'],
  ])
  assert.deepEqual(reactions, [['+1', 'Ann Cook']])
  assert.deepEqual(left, { 'message: a notice': 1, 'room: rooms of this type are not imported': 1 })
})

test('rejects threads of Rocket.Chat that contain each other', async () => {
  await using w = await world()
  const message = (id: string, tmid: string) => ({
    _id: id,
    rid: 'r1',
    msg: 'x',
    tmid,
    ts: new Date(ms(1)),
    u: { _id: 'u1' },
  })
  const files = rocketJson()
  using archive = new ArchiveFolder({
    ...files,
    'rocketchat_message.json': lines(message('a', 'b'), message('b', 'a')),
  })
  await assert.rejects(importInto(w.chat, archive), /Threads contain each other/)
  using cut = new ArchiveFolder({
    ...rocketBson(),
    'rocketchat_message.bson': Buffer.from([9, 0, 0, 0, 3, 97, 0, 1, 0]),
  })
  await assert.rejects(importInto(w.chat, cut), /"rocketchat_message\.bson" is not valid BSON/)
})

test('imports exports of DiscordChatExporter', async () => {
  const { report, messages, reactions, left } = await imported(discordExport())
  assert.equal(report.source, 'discord')
  const rest = 'imported from Discord'
  assert.deepEqual(messages, [
    [10, rest, 'Ann Cook', 'Hello **all**, @_**Bob**.'],
    [12, rest, 'Ann Cook', 'a file\n[soup.txt](/file)'],
    [20, rest, 'Bob', '↩ #**kitchen>imported from Discord@1**\nhi'],
    [30, 'supper', 'Ann Cook', 'soup'],
  ])
  assert.deepEqual(reactions, [['+1', 'Ann Cook']])
  assert.deepEqual(left, {
    'message: a notice (GuildMemberJoin)': 1,
    "reaction: the export doesn't say who added it": 1,
  })
})
