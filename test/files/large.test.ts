import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { request } from 'node:http'
import { join } from 'node:path'
import test from 'node:test'
import { createOrganization } from '../../src/core/accounts/create-organization.ts'
import { createChatServer } from '../../src/http/server.ts'
import { rounds } from '../rounds.ts'
import { TemporaryFolder } from '../temporary-folder.ts'
import { noise } from './files.ts'

// What this costs is measured by `npm run bench:files`: memory, buffers, and how long the event loop is blocked.

const MIB = 1024 * 1024
const SIZE = rounds({ short: 5, full: 25 }) * MIB
const piece = noise(64 * 1024)

interface Site {
  url: string
  auth: string
}

/** Sends a form with a file, as fast as the server takes it. Returns its path and its digest. */
async function send({ url, auth }: Site): Promise<{ path: string; sent: string }> {
  const asked = request(`${url}/api/v1/user_uploads`, {
    method: 'POST',
    auth,
    headers: { 'content-type': 'multipart/form-data; boundary=b' },
  })
  const answered = once(asked, 'response')
  asked.write('--b\r\ncontent-disposition: form-data; name="f"; filename="large.bin"\r\n\r\n')
  const hash = createHash('sha256')
  for (let left = SIZE; left > 0; left -= piece.length) {
    hash.update(piece)
    if (!asked.write(piece)) await once(asked, 'drain')
  }
  asked.end('\r\n--b--\r\n')
  const [response] = await answered
  let text = ''
  for await (const part of response) text += part
  return { path: JSON.parse(text).url, sent: hash.digest('hex') }
}

/** Reads a file piece by piece, each a turn after the last, as a slow client does. Returns its digest. */
async function receive({ url, auth }: Site, path: string): Promise<string> {
  const asked = request(`${url}${path}`, { auth })
  asked.end()
  const [response] = await once(asked, 'response')
  const hash = createHash('sha256')
  for await (const part of response) {
    hash.update(part)
    await new Promise(setImmediate)
  }
  return hash.digest('hex')
}

test('a large file arrives intact at five slow readers at the same time', async (t) => {
  t.diagnostic(`${SIZE / MIB} MiB`)
  using folder = new TemporaryFolder()
  const options = { db: join(folder.path, 'chat.db'), passwordCost: 4, rateLimit: false }
  await using server = await createChatServer(options)
  const owner = { org: 'O', owner_email: 'o@example.com', owner_name: 'Olga', owner_password: 'correct horse' }
  const { email, api_key } = await createOrganization(server.chat, owner)
  const site = { url: server.url, auth: `${email}:${api_key}` }
  const { path, sent } = await send(site)
  const received = await Promise.all(Array.from({ length: 5 }, () => receive(site, path)))
  assert.deepEqual(received, Array(5).fill(sent))
})
