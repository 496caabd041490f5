import { readFileSync, realpathSync, statfsSync } from 'node:fs'
import { sep } from 'node:path'

/** Names of file systems with unreliable locks, or unreliable shared memory for SQLite's log. */
const NETWORK: Readonly<Record<string, string>> = {
  nfs: 'NFS',
  nfs4: 'NFS',
  cifs: 'SMB/CIFS',
  smb3: 'SMB/CIFS',
  smbfs: 'SMB/CIFS',
  'fuse.sshfs': 'SSHFS',
  'fuse.rclone': 'rclone',
  'fuse.s3fs': 's3fs',
  'fuse.davfs': 'WebDAV',
  davfs: 'WebDAV',
  afs: 'AFS',
}
/** File systems that are reliable in some setups. */
const DOUBTFUL: Readonly<Record<string, string>> = {
  '9p': '9P (a folder shared with a virtual machine by its host)',
  vboxsf: 'a VirtualBox shared folder',
  'fuse.vmhgfs-fuse': 'a VMware shared folder',
  ceph: 'CephFS',
  'fuse.ceph': 'CephFS',
  'fuse.glusterfs': 'GlusterFS',
  lustre: 'Lustre',
}

/** The numbers of common local file systems in statfs(2): ext2 to ext4, XFS, Btrfs, tmpfs and overlay. */
const LOCAL: ReadonlySet<number> = new Set([0xef53, 0x58465342, 0x9123683e, 0x01021994, 0x794c7630])

/** Returns whether a folder is on a local file system. Reading the table of mounts takes twenty times as long. */
export const isLocal = (folder: string): boolean => LOCAL.has(statfsSync(folder).type)

export interface FileSystemFinding {
  /** Whether opening a database there is rejected. */
  refused: boolean
  /** A sentence. */
  message: string
}

/** Returns the table of mounted file systems; empty on systems without one. */
export function readMounts(): string {
  try {
    return readFileSync('/proc/self/mounts', 'utf8')
  } catch {
    return ''
  }
}

/** Returns what is wrong with a database in this folder, judging by its file system. */
export function fileSystemProblem(folder: string, mounts: string): FileSystemFinding | undefined {
  const mount = mountOf(realpathSync(folder), mounts)
  if (!mount) return undefined
  const { type, point } = mount
  const network = NETWORK[type]
  if (network) {
    const message = `${folder} is on a network file system (${network}, mounted at ${point}), where SQLite's locks and log don't work and messages would be lost. Keep the database on a local disk`
    return { refused: true, message }
  }
  const doubtful = DOUBTFUL[type]
  if (!doubtful) return undefined
  const message = `${folder} is on ${doubtful}, mounted at ${point}, where SQLite's locks and log may not work and messages may be lost. A local disk is safer`
  return { refused: false, message }
}

/** Returns the mount that a folder is on: the deepest one above it, and the last of several in the same place. */
function mountOf(folder: string, mounts: string): { point: string; type: string } | undefined {
  let found: { point: string; type: string } | undefined
  for (const line of mounts.split('\n')) {
    const [, point, type] = line.split(' ').map(unescaped)
    if (point === undefined || type === undefined) continue
    const above = point === folder || folder.startsWith(point.endsWith(sep) ? point : point + sep)
    if (above && point.length >= (found?.point.length ?? 0)) found = { point, type }
  }
  return found
}

/** Decodes spaces and the like, which are written as octal numbers. */
const unescaped = (text: string): string =>
  text.replace(/\\([0-7]{3})/g, (_, octal: string) => String.fromCharCode(Number.parseInt(octal, 8)))
