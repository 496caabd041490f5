import { chownSync, cpSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { run } from '../tools.ts'
import type { Machine } from './machine.ts'
import { has, send, start, stop } from './server.ts'

const NOBODY = 65534

/** Serves, backs up and restores with the single executable, as an unprivileged user of a machine without Node. */
export async function checkExecutable({ folder }: Machine, file: string): Promise<void> {
  cpSync(file, join(folder, 'usr/local/bin/chat-server'))
  const data = join(folder, 'srv/chat')
  mkdirSync(data)
  chownSync(data, NOBODY, NOBODY)
  const inside = `mount -t proc proc "$0/proc" && exec chroot --userspec=${NOBODY}:${NOBODY} "$0" "$@"`
  const command = (...args: string[]) => ['--mount', 'sh', '-c', inside, folder, 'chat-server', ...args]
  const db = ['--db', '/srv/chat/chat.db']
  const serve = () => start('unshare', command(...db, '--port', '0'))

  const first = await serve()
  const account = first.account!
  await send(first.url, account, 'first')
  run('unshare', command('backup', '/srv/chat/backup.db', ...db))
  await send(first.url, account, 'second')
  await stop(first)
  const again = await serve()
  await has(again.url, account, 'first', 'second')
  await stop(again)
  run('unshare', command('restore', '/srv/chat/backup.db', '--force', ...db))
  const restored = await serve()
  await has(restored.url, account, 'first')
  await stop(restored)
  console.log(`ok  executable: starts in ${again.milliseconds} ms, serves, backs up and restores`)
}
