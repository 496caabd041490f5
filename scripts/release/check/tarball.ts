import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { run } from '../tools.ts'
import { has, send, start, stop } from './server.ts'

/** Installs the previous tarball and the new one over it, with nothing on the path but Node, npm and a shell. */
export async function checkTarball(previous: string, tarball: string): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'chat-server-tarball-'))
  try {
    const path = join(folder, 'path')
    mkdirSync(path)
    const npm = run('sh', ['-c', 'command -v npm'])
    for (const [name, target] of Object.entries({ node: process.execPath, npm, sh: '/bin/sh' })) {
      symlinkSync(target, join(path, name))
    }
    writeFileSync(join(folder, 'package.json'), '{ "private": true }')
    const env = { ...process.env, PATH: path }
    const install = (file: string) => {
      const began = performance.now()
      run('npm', ['install', '--silent', '--no-audit', '--no-fund', '--prefer-offline', file], { cwd: folder, env })
      return Math.round((performance.now() - began) / 1000)
    }
    const command = join(folder, 'node_modules/.bin/chat-server')
    const serve = () => start(command, ['--port', '0'], folder)

    const seconds = install(previous)
    run('npm', ['ci', '--silent', '--no-audit', '--no-fund', '--prefer-offline'], { cwd: folder, env })
    const first = await serve()
    const account = first.account!
    await send(first.url, account, 'first')
    await stop(first)
    const again = await serve()
    await has(again.url, account, 'first')
    await stop(again)
    const before = run(command, ['--version'])
    install(tarball)
    assert.notEqual(run(command, ['--version']), before)
    const upgraded = await serve()
    await has(upgraded.url, account, 'first')
    await send(upgraded.url, account, 'second')
    await stop(upgraded)
    run('npm', ['uninstall', '--silent', 'chat-server'], { cwd: folder, env })
    assert.ok(run('ls', [], { cwd: folder }).includes('chat.db'))
    console.log(
      `ok  tarball: installs in ${seconds} s without Python and a compiler, starts in ${again.milliseconds} ms, upgrades`,
    )
  } finally {
    rmSync(folder, { recursive: true })
  }
}
