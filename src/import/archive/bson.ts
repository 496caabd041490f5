import { Refused } from '../refused.ts'
import type { Archive } from './archive.ts'
import type { Json } from './json.ts'
import { shown } from './names.ts'

/** A document of MongoDB has at most 16 MiB. */
const MAX_DOCUMENT = 17 * 1024 * 1024
const MAX_DEPTH = 100

/** The documents of a file of `mongodump`, one after the other: dates are milliseconds, ids are hexadecimal. */
export async function* bsonDocuments(archive: Archive, name: string): AsyncGenerator<Json> {
  let rest = Buffer.alloc(0)
  for await (const piece of archive.stream(name)) {
    rest = rest.length === 0 ? Buffer.from(piece) : Buffer.concat([rest, piece])
    let at = 0
    while (rest.length - at >= 4) {
      const length = rest.readInt32LE(at)
      if (length < 5 || length > MAX_DOCUMENT) throw damaged(name)
      if (rest.length - at < length) break
      yield documentOf(rest.subarray(at, at + length), name)
      at += length
    }
    rest = rest.subarray(at)
  }
  if (rest.length > 0) throw damaged(name)
}

const damaged = (name: string) => new Refused(`${shown(name)} is not valid BSON.`)
const utf8 = new TextDecoder('utf-8', { fatal: true })

function documentOf(bytes: Buffer, name: string): Json {
  let at = 0
  const take = (length: number): Buffer => {
    if (length < 0 || at + length > bytes.length) throw damaged(name)
    at += length
    return bytes.subarray(at - length, at)
  }
  const int32 = (): number => take(4).readInt32LE(0)
  const text = (part: Uint8Array): string => {
    try {
      return utf8.decode(part)
    } catch {
      throw new Refused(`${shown(name)} is not valid UTF-8.`)
    }
  }
  const word = (): string => {
    const end = bytes.indexOf(0, at)
    if (end === -1) throw damaged(name)
    const found = text(bytes.subarray(at, end))
    at = end + 1
    return found
  }
  const string = (): string => {
    const found = take(int32())
    if (found.length === 0) throw damaged(name)
    return text(found.subarray(0, -1))
  }

  function object(isList: boolean, depth: number): Json {
    if (depth > MAX_DEPTH) throw damaged(name)
    const end = at + bytes.readInt32LE(at)
    take(4)
    const entries: [string, Json][] = []
    for (let type = take(1)[0]!; type !== 0; type = take(1)[0]!) entries.push([word(), value(type, depth)])
    if (at !== end) throw damaged(name)
    return isList ? entries.map(([, each]) => each) : Object.fromEntries(entries)
  }

  function value(type: number, depth: number): Json {
    switch (type) {
      case 0x01:
        return take(8).readDoubleLE(0)
      case 0x02:
      case 0x0d:
      case 0x0e:
        return string()
      case 0x03:
        return object(false, depth + 1)
      case 0x04:
        return object(true, depth + 1)
      case 0x05: {
        const length = int32()
        take(1)
        return Uint8Array.from(take(length))
      }
      case 0x06:
      case 0x0a:
      case 0x7f:
      case 0xff:
        return null
      case 0x07:
        return take(12).toString('hex')
      case 0x08:
        return take(1)[0] === 1
      case 0x09:
      case 0x11:
      case 0x12:
        return Number(take(8).readBigInt64LE(0))
      case 0x0b:
        return `/${word()}/${word()}`
      case 0x10:
        return int32()
      case 0x13:
        return take(16).toString('hex')
      default:
        throw damaged(name)
    }
  }
  try {
    return object(false, 0)
  } catch (error) {
    throw error instanceof RangeError ? damaged(name) : error
  }
}
