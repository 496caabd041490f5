import { readFileSync, realpathSync } from 'node:fs'
import { sep } from 'node:path'

/** What the file systems are called on which locks and the shared memory of SQLite's log do not work reliably. */
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
/** Those that hold up to it in some set-ups. */
const DOUBTFUL: Readonly<Record<string, string>> = {
  '9p': '9P (a folder shared by the host of a virtual machine)',
  vboxsf: 'a shared folder of VirtualBox',
  'fuse.vmhgfs-fuse': 'a shared folder of VMware',
  ceph: 'CephFS',
  'fuse.ceph': 'CephFS',
  'fuse.glusterfs': 'GlusterFS',
  lustre: 'Lustre',
}

export interface FileSystemFinding {
  /** Whether a database must not be opened there. */
  refused: boolean
  /** A sentence. */
  message: string
}

/** The table of mounted file systems; empty where the system has none that can be read. */
export function readMounts(): string {
  try {
    return readFileSync('/proc/self/mounts', 'utf8')
  } catch {
    return ''
  }
}

/** What is wrong with keeping a database in this folder, by the file system it is on. */
export function fileSystemProblem(folder: string, mounts: string): FileSystemFinding | undefined {
  const mount = mountOf(realpathSync(folder), mounts)
  if (!mount) return undefined
  const { type, point } = mount
  const network = NETWORK[type]
  if (network) {
    const message = `${folder} is on a network file system (${network}, mounted at ${point}), where SQLite's locks and log do not work: messages would be lost. Keep the database on a disk of this machine`
    return { refused: true, message }
  }
  const doubtful = DOUBTFUL[type]
  if (!doubtful) return undefined
  const message = `${folder} is on ${doubtful}, mounted at ${point}: SQLite's locks and log may not work there, and messages be lost; a disk of this machine is safer`
  return { refused: false, message }
}

/** The mount that a folder is on: the deepest above it, and of several at one place the last. */
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

/** Spaces and the like are written as octal numbers. */
const unescaped = (text: string): string =>
  text.replace(/\\([0-7]{3})/g, (_, octal: string) => String.fromCharCode(Number.parseInt(octal, 8)))
