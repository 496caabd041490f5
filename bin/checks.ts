import { accessSync, constants, existsSync, realpathSync, statfsSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { DEFAULT_RESERVE_MIB } from '../src/core/kernel/base/limits.ts'
import { isFile } from '../src/storage/index.ts'

const MIB = 1024 * 1024
const COMFORTABLE_SPACE = 1024 * MIB

export interface Space {
  free_mib: number
  /** The reason why the folder can't hold a database. */
  problem?: string
  /** Little space is left: uploads are rejected, and soon messages. */
  low?: string
  warning?: string
}

/** Checks the folder of a database and the free space on its disk. Little space is a warning. */
export function spaceFor(file: string, reserveMib = DEFAULT_RESERVE_MIB): Space {
  const folder = !isFile(file) ? undefined : dirname(existsSync(file) ? realpathSync(file) : resolve(file))
  if (folder === undefined) return { free_mib: Number.POSITIVE_INFINITY }
  if (!existsSync(folder)) return { free_mib: 0, problem: `the folder ${folder} does not exist` }
  if (!isWritable(folder)) return { free_mib: 0, problem: `this user can't write to the folder ${folder}` }
  const { bavail, bsize } = statfsSync(folder)
  return judge(bavail * bsize, folder, reserveMib)
}

function isWritable(folder: string): boolean {
  try {
    accessSync(folder, constants.W_OK | constants.X_OK)
    return true
  } catch {
    return false
  }
}

/** @param reserveMib - the free space that uploads leave */
export function judge(free: number, folder: string, reserveMib = DEFAULT_RESERVE_MIB): Space {
  const free_mib = Math.floor(free / MIB)
  const left = `only ${free_mib} MiB are free on the disk of ${folder}`
  if (free < reserveMib * MIB)
    return {
      free_mib,
      low: `${left}. Uploads are rejected below ${reserveMib} MiB, and messages below a quarter of that. Deleting always works`,
    }
  if (free < COMFORTABLE_SPACE)
    return { free_mib, warning: `${left}. Nothing more can be stored when the disk is full` }
  return { free_mib }
}
