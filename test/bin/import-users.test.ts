import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import test from 'node:test'
import { command, WorkingFolder } from './in-process.ts'

const init = ['init', '--org', 'Elsinore', '--owner-email', 'o@example.com', '--owner-name', 'Owner']
const many = (count: number, bad: number) =>
  Array.from({ length: count }, (_, i) => (i === bad ? 'no address,Bad' : `u${i}@example.com,User ${i}`)).join('\n')

const refused: [what: string, text: string | Buffer, sentence: RegExp][] = [
  ['an empty file', '', /has no accounts/],
  [
    'a column that means nothing',
    'email,who\x07\na@example.com,b\n',
    /users\.csv has a column "who\\u0007"; its header/,
  ],
  ['a line with too few cells', 'email,name\na@example.com,A\nb@example.com\n', /^chat-server: users\.csv:3: Invalid/],
  ['a quote that does not end', 'email,name\n"a@example.com,A\n', /^chat-server: users\.csv:2: Quote Not Closed/],
  ['no text at all', Buffer.from([0, 1, 255, 254, 10, 13, 0]), /users\.csv has a column/],
  [
    'an address that is taken',
    'email,name\na@example.com,Ann\nO@example.com,Olga\n',
    /^users\.csv:3: Email 'O@example\.com' already/,
  ],
  [
    'one bad line among 10,000',
    `email,name\n${many(10_000, 7_776)}\n`,
    /^users\.csv:7778: Enter a valid email address\.\n/,
  ],
  [
    '10,000 good lines',
    `email,name\n${many(10_000, -1)}\n`,
    /The file has 10000 accounts\. Create at most 2000 at a time/,
  ],
]

test('user add --from rejects an invalid file with the line number and creates no accounts', async (t) => {
  using folder = new WorkingFolder()
  await command(init)
  for (const [what, text, sentence] of refused) {
    await t.test(what, async () => {
      writeFileSync(join(folder.path, 'users.csv'), text)
      const { code, out, err } = await command(['user', 'add', '--from', 'users.csv'])
      assert.deepEqual([code, out], [1, ''])
      assert.match(err, sentence)
    })
  }
  const { members } = JSON.parse((await command(['user', 'list', '--json'])).out) as { members: object[] }
  assert.equal(members.length, 1)
})

test('user add --from accepts tabs, semicolons, quotes and a byte order mark', async () => {
  using folder = new WorkingFolder()
  await command(init)
  const lines = ['\ufeffName;Email;Role', '"Ann; A.";ann@example.com;guest', 'Bob;bob@example.com;', '']
  writeFileSync(join(folder.path, 'users.csv'), lines.join('\r\n'))
  const { code, out, err } = await command(['user', 'add', '--from', 'users.csv', '--json'])
  assert.deepEqual([code, err], [0, ''])
  assert.equal(JSON.parse(out).users.length, 2)
  const list = (await command(['user', 'list'])).out
  assert.match(list, /ann@example\.com +Ann; A\. +guest/)
  assert.match(list, /bob@example\.com +Bob +member/)
})
