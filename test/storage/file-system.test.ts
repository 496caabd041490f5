import assert from 'node:assert/strict'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import test from 'node:test'
import { fileSystemProblem } from '../../src/storage/index.ts'
import { Folder } from './folder.ts'
import { opened } from './opened.ts'

const root = '/dev/sda1 / ext4 rw 0 0\n'

test('rejects network file systems, warns about doubtful ones and accepts local ones', () => {
  using folder = new Folder()
  const at = (type: string, point = folder.path) => fileSystemProblem(folder.path, `${root}x ${point} ${type} rw 0 0\n`)
  const table: [string, boolean | undefined, RegExp?][] = [
    ['nfs', true, /network file system \(NFS, mounted at/],
    ['nfs4', true, /NFS/],
    ['cifs', true, /SMB\/CIFS/],
    ['smb3', true, /SMB\/CIFS/],
    ['fuse.sshfs', true, /SSHFS/],
    ['9p', false, /9P/],
    ['ceph', false, /CephFS/],
    ['ext4', undefined],
    ['tmpfs', undefined],
    ['overlay', undefined],
  ]
  for (const [type, refused, message] of table) {
    const found = at(type)
    assert.equal(found?.refused, refused, type)
    if (message) assert.match(found!.message, message)
  }
  assert.equal(at('nfs', '/elsewhere'), undefined)
  assert.equal(at('nfs', `${folder.path}-2`), undefined)
  assert.equal(fileSystemProblem(folder.path, ''), undefined)
})

test('uses the deepest mount, the last of several in one place, and names with spaces', () => {
  using folder = new Folder()
  const inner = join(folder.path, 'a b')
  mkdirSync(inner)
  const line = (point: string, type: string) => `x ${point.replaceAll(' ', '\\040')} ${type} rw 0 0\n`
  assert.equal(fileSystemProblem(inner, line(inner, 'ext4') + line(folder.path, 'nfs')), undefined)
  assert.equal(fileSystemProblem(inner, line(folder.path, 'ext4') + line(inner, 'nfs'))?.refused, true)
  assert.equal(fileSystemProblem(inner, line(inner, 'nfs') + line(inner, 'ext4')), undefined)
})

test('opens and creates no database on a network file system', async () => {
  using folder = new Folder()
  const mounts = `${root}server:/export ${folder.path} nfs4 rw 0 0\n`
  await assert.rejects(opened(folder.file, { mounts }), { kind: 'unsupported', message: /network file system \(NFS/ })
  await using _ = await opened(folder.file)
})
