import { onePixelPng } from '../fixtures/images.ts'

export const at = 1_700_000_000
export const ms = (seconds: number) => (at + seconds) * 1000
export const lines = (...values: object[]) => values.map((value) => `${JSON.stringify(value)}\n`).join('')

export const mattermostExport = () => ({
  'import.jsonl': lines(
    { type: 'version', version: 1 },
    { type: 'emoji', emoji: { name: 'pan', image: 'emoji/pan.png' } },
    { type: 'team', team: { name: 'cooks', display_name: 'Cooks', type: 'O' } },
    {
      type: 'channel',
      channel: {
        team: 'cooks',
        name: 'kitchen',
        display_name: 'kitchen',
        type: 'O',
        header: 'hot',
        purpose: 'cooking',
      },
    },
    {
      type: 'user',
      user: {
        username: 'ann',
        email: 'ann@example.com',
        first_name: 'Ann',
        last_name: 'Cook',
        position: 'Chef',
        roles: 'system_user system_admin',
        password: 'x',
        teams: [{ name: 'cooks', channels: [{ name: 'kitchen', last_viewed_at: ms(15), favorite: true }] }],
      },
    },
    { type: 'user', user: { username: 'bob', email: 'bob@example.com', roles: 'system_user', delete_at: 5 } },
    {
      type: 'post',
      post: {
        team: 'cooks',
        channel: 'kitchen',
        user: 'ann',
        message: 'Hello **all**, @bob. See ~kitchen :+1:',
        create_at: ms(10),
        replies: [
          {
            user: 'bob',
            message: 'hi',
            create_at: ms(20),
            reactions: [{ user: 'ann', emoji_name: 'pan', create_at: ms(21) }],
          },
        ],
        flagged_by: ['ann'],
      },
    },
    {
      type: 'post',
      post: {
        team: 'cooks',
        channel: 'kitchen',
        user: 'bob',
        message: 'joined',
        type: 'system_join_channel',
        create_at: ms(11),
      },
    },
    {
      type: 'post',
      post: {
        team: 'cooks',
        channel: 'kitchen',
        user: 'ann',
        message: 'a file',
        create_at: ms(12),
        edit_at: ms(13),
        attachments: [{ path: 'files/soup.txt' }],
      },
    },
    {
      type: 'direct_post',
      direct_post: { channel_members: ['ann', 'bob'], user: 'ann', message: 'psst', create_at: ms(14) },
    },
  ),
  'data/files/soup.txt': 'soup',
  'data/emoji/pan.png': onePixelPng(),
})

const rocketCollections = () => ({
  users: [
    {
      _id: 'u1',
      username: 'ann',
      name: 'Ann Cook',
      emails: [{ address: 'ann@example.com' }],
      roles: ['admin'],
      active: true,
    },
    {
      _id: 'u2',
      username: 'bob',
      name: 'Bob',
      emails: [{ address: 'bob@example.com' }],
      roles: ['user'],
      active: false,
    },
  ],
  rocketchat_room: [
    { _id: 'r1', t: 'c', name: 'kitchen', topic: 'hot', default: true },
    { _id: 'r2', t: 'd', uids: ['u1', 'u2'] },
    { _id: 'r3', t: 'p', fname: 'What to cook', prid: 'r1' },
    { _id: 'r4', t: 'l' },
  ],
  rocketchat_subscription: [{ _id: 's1', u: { _id: 'u1' }, rid: 'r1', f: true, ls: new Date(ms(15)) }],
  rocketchat_uploads: [{ _id: 'f1', name: 'soup.txt', type: 'text/plain' }],
  rocketchat_message: [
    {
      _id: 'm2',
      rid: 'r1',
      tmid: 'm1',
      msg: 'hi',
      ts: new Date(ms(20)),
      u: { _id: 'u2' },
      reactions: { ':+1:': { usernames: ['ann'] } },
    },
    {
      _id: 'm1',
      rid: 'r1',
      msg: 'Hello *all*, @bob. See #kitchen',
      ts: new Date(ms(10)),
      u: { _id: 'u1' },
      starred: [{ _id: 'u1' }],
    },
    { _id: 'm3', rid: 'r1', msg: 'bob', t: 'uj', ts: new Date(ms(11)), u: { _id: 'u2' } },
    {
      _id: 'm4',
      rid: 'r1',
      msg: 'a file',
      ts: new Date(ms(12)),
      editedAt: new Date(ms(13)),
      u: { _id: 'u1' },
      files: [{ _id: 'f1' }],
    },
    { _id: 'm5', rid: 'r2', msg: 'psst', ts: new Date(ms(14)), u: { _id: 'u1' } },
    { _id: 'm6', rid: 'r3', msg: 'soup', ts: new Date(ms(30)), u: { _id: 'u1' } },
  ],
})
const withUpload = (files: Record<string, string | Uint8Array>) => ({ ...files, 'uploads/f1': 'soup' })
export const rocketJson = () =>
  withUpload(
    Object.fromEntries(
      Object.entries(rocketCollections()).map(([name, rows]) => [`${name}.json`, lines(...rows.map(extended))]),
    ),
  )
export const rocketBson = () =>
  withUpload(
    Object.fromEntries(
      Object.entries(rocketCollections()).map(([name, rows]) => [
        `${name}.bson`,
        Buffer.concat(rows.map((row) => bson(row))),
      ]),
    ),
  )

/** As `mongoexport` writes dates. */
function extended(value: object): object {
  return Object.fromEntries(
    Object.entries(value).map(([key, each]) => [key, each instanceof Date ? { $date: each.toISOString() } : each]),
  )
}

function bson(value: object): Buffer {
  const parts = Object.entries(value).map(([key, each]) => {
    const name = Buffer.from(`${key}\0`)
    if (typeof each === 'string') {
      const bytes = Buffer.from(`${each}\0`)
      const size = Buffer.alloc(4)
      size.writeInt32LE(bytes.length)
      return Buffer.concat([Buffer.from([2]), name, size, bytes])
    }
    if (typeof each === 'boolean') return Buffer.concat([Buffer.from([8]), name, Buffer.from([each ? 1 : 0])])
    if (each instanceof Date) {
      const bytes = Buffer.alloc(8)
      bytes.writeBigInt64LE(BigInt(each.getTime()))
      return Buffer.concat([Buffer.from([9]), name, bytes])
    }
    return Buffer.concat([Buffer.from([Array.isArray(each) ? 4 : 3]), name, bson(each as object)])
  })
  const body = Buffer.concat([...parts, Buffer.from([0])])
  const size = Buffer.alloc(4)
  size.writeInt32LE(body.length + 4)
  return Buffer.concat([size, body])
}

const iso = (seconds: number) => new Date(ms(seconds)).toISOString()
const ann = { id: '1', name: 'ann', nickname: 'Ann Cook' }
const bob = { id: '2', name: 'bob', nickname: 'Bob' }
export const discordExport = () => ({
  'kitchen.json': {
    guild: { id: 'g' },
    channel: { id: 'c1', type: 'GuildTextChat', name: 'kitchen', topic: 'hot' },
    messages: [
      {
        id: '10',
        type: 'Default',
        timestamp: iso(10),
        content: 'Hello **all**, @Bob.',
        author: ann,
        mentions: [bob],
        isPinned: true,
      },
      { id: '11', type: 'GuildMemberJoin', timestamp: iso(11), content: 'joined', author: bob },
      {
        id: '12',
        type: 'Default',
        timestamp: iso(12),
        timestampEdited: iso(13),
        content: 'a file',
        author: ann,
        attachments: [{ url: 'kitchen_Files/soup.txt', fileName: 'soup.txt' }],
      },
      {
        id: '20',
        type: 'Reply',
        timestamp: iso(20),
        content: 'hi',
        author: bob,
        reference: { messageId: '10' },
        reactions: [{ emoji: { name: '👍', code: '+1' }, count: 2, users: [ann] }],
      },
    ],
  },
  'kitchen - supper.json': {
    guild: { id: 'g' },
    channel: { id: 't1', type: 'GuildPublicThread', categoryId: 'c1', category: 'kitchen', name: 'supper' },
    messages: [{ id: '30', type: 'Default', timestamp: iso(30), content: 'soup', author: ann }],
  },
  'kitchen_Files/soup.txt': 'soup',
})
