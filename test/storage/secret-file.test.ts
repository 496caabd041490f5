import assert from 'node:assert/strict'
import { readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import test from 'node:test'
import { authenticate, createOrganization, openChat } from '../../src/index.ts'
import { collecting, type LogEntry } from '../../src/testing/server.ts'
import { TemporaryFolder } from '../temporary-folder.ts'

const inFolder = async (run: (folder: string) => Promise<void>) => {
  using folder = new TemporaryFolder()
  await run(folder.path)
}

test('keys survive a restart through a private secret file', () =>
  inFolder(async (folder) => {
    const db = join(folder, 'chat.db')
    let key: string
    {
      await using chat = await openChat({ db, passwordCost: 4 })
      ;({ api_key: key } = await createOrganization(chat, {
        org: 'o',
        owner_email: 'o@example.com',
        owner_name: 'Olga',
      }))
    }
    assert.equal(statSync(`${db}.secret`).mode & 0o777, 0o600)
    assert.ok(!readdirSync(folder).includes('chat.db.secret.new'))
    await using chat = await openChat({ db })
    assert.equal((await authenticate(chat, 'o@example.com', key))?.user.full_name, 'Olga')
  }))

test('regenerates a missing secret with a warning when keys exist', () =>
  inFolder(async (folder) => {
    const db = join(folder, 'chat.db')
    const log: LogEntry[] = []
    const open = () => openChat({ db, passwordCost: 4, logger: collecting(log) })
    {
      await using chat = await open()
      await createOrganization(chat, { org: 'o', owner_email: 'o@example.com', owner_name: 'Olga' })
    }
    assert.deepEqual(log, [], 'premise: a first start is nothing to tell')
    rmSync(`${db}.secret`)
    await using _ = await open()
    assert.match(log.map(({ message }) => message).join(), /chat\.db\.secret was missing/)
  }))

test('a damaged secret prevents the start', () =>
  inFolder(async (folder) => {
    const db = join(folder, 'chat.db')
    {
      await using _ = await openChat({ db })
    }
    writeFileSync(`${db}.secret`, 'half')
    await assert.rejects(openChat({ db }), /damaged/)
  }))
