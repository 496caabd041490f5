import { crc32, deflateRawSync } from 'node:zlib'

export interface ZipEntry {
  name: string
  content: Uint8Array | string
  /** The Unix mode; a regular file unless given. */
  mode?: number
  /** What the directory says instead of the true size. */
  size?: number
  flags?: number
  crc?: number
}

/** A zip file, well made or not. */
export function zipOf(entries: readonly ZipEntry[]): Uint8Array {
  const parts: Buffer[] = []
  const directory: Buffer[] = []
  let offset = 0
  for (const { name, content, mode = 0o100644, size, flags = 0, crc } of entries) {
    const bytes = Buffer.from(content)
    const packed = deflateRawSync(bytes)
    const about = Buffer.alloc(22)
    about.writeUInt16LE(flags | 0x800, 0)
    about.writeUInt16LE(8, 2)
    about.writeUInt32LE(crc ?? crc32(bytes), 8)
    about.writeUInt32LE(packed.length, 12)
    about.writeUInt32LE(size ?? bytes.length, 16)
    about.writeUInt16LE(Buffer.byteLength(name), 20)
    const local = Buffer.concat([Buffer.from('504b03041400', 'hex'), about, Buffer.alloc(2), Buffer.from(name), packed])
    const tail = Buffer.alloc(16)
    tail.writeUInt32LE(mode * 65_536, 8)
    tail.writeUInt32LE(offset, 12)
    directory.push(Buffer.concat([Buffer.from('504b010214031400', 'hex'), about, tail, Buffer.from(name)]))
    parts.push(local)
    offset += local.length
  }
  const central = Buffer.concat(directory)
  const end = Buffer.alloc(22)
  end.write('504b0506', 0, 'hex')
  end.writeUInt16LE(entries.length, 8)
  end.writeUInt16LE(entries.length, 10)
  end.writeUInt32LE(central.length, 12)
  end.writeUInt32LE(offset, 16)
  return Buffer.concat([...parts, central, end])
}
