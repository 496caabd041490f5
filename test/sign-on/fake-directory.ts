import { createServer, type Socket } from 'node:net'
import { TLSSocket } from 'node:tls'
import { Ber, BerReader, BerWriter } from 'ldapts'
import { certificate, key } from '../mail/certificate.ts'

/** An entry, with its attributes as lists. */
export interface FakeEntry {
  dn: string
  password?: string
  attributes: Record<string, readonly (string | Buffer)[]>
}

/** What the directory was asked. */
export interface Asked {
  bind?: { dn: string; password: string }
  search?: { base: string; scope: number; filter: string }
}

const BIND = 0x60
const UNBIND = 0x42
const SEARCH = 0x63
const EXTENDED = 0x77
const PAGED = '1.2.840.113556.1.4.319'

interface Fake {
  entries: FakeEntry[]
  /** What it was asked, over all connections. */
  asked: Asked[]
  /** Whether a bind without a password succeeds for any name, as Active Directory has it. */
  takesEmptyPasswords: boolean
  /** Answers requests with this instead, or with nothing at all. */
  misbehaves: ((asked: Asked, socket: Socket) => { code: number } | 'nothing' | undefined) | undefined
  /** The result of StartTLS; with `drops` the connection ends after the handshake. */
  startTls: 'works' | 'refused' | 'drops'
  connections: number
}

/** A small directory on this machine, in the BER of the package. It knows binds, searches, pages and StartTLS. */
export async function fakeDirectory(entries: FakeEntry[] = []) {
  const fake: Fake = {
    entries,
    asked: [],
    takesEmptyPasswords: true,
    misbehaves: undefined,
    startTls: 'works',
    connections: 0,
  }
  const open = new Set<Socket>()
  const server = createServer((socket) => {
    fake.connections++
    open.add(socket)
    socket.on('close', () => open.delete(socket)).on('error', () => {})
    serve(fake, socket)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as { port: number }
  return {
    ...{ fake, port, url: `ldap://127.0.0.1:${port}` },
    binds: () => fake.asked.flatMap(({ bind }) => (bind ? [bind] : [])),
    async [Symbol.asyncDispose]() {
      for (const socket of open) socket.destroy()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
export type FakeDirectory = Awaited<ReturnType<typeof fakeDirectory>>

function serve(fake: Fake, socket: Socket): void {
  let waiting = Buffer.alloc(0)
  socket.on('data', (data) => {
    waiting = Buffer.concat([waiting, data])
    for (;;) {
      // What is no message, such as the beginning of TLS.
      if (waiting.length > 0 && waiting[0] !== 0x30) return void socket.destroy()
      const length = messageLength(waiting)
      if (length === undefined || waiting.length < length) return
      const message = waiting.subarray(0, length)
      waiting = waiting.subarray(length)
      handle(fake, socket, message)
    }
  })
}

/** Returns the length of the first message, if its beginning has arrived. */
function messageLength(data: Buffer): number | undefined {
  if (data.length < 2) return undefined
  const first = data[1]!
  if (first < 0x80) return 2 + first
  const size = first & 0x7f
  return data.length < 2 + size ? undefined : 2 + size + data.readUIntBE(2, size)
}

function handle(fake: Fake, socket: Socket, message: Buffer): void {
  const reader = new BerReader(Buffer.from(message))
  reader.readSequence()
  const id = reader.readInt()!
  const operation = reader.readSequence()
  const answer = (tag: number, code: number) => void socket.write(written(id, tag, (writer) => result(writer, code)))
  if (operation === UNBIND) return void socket.end()
  if (operation === EXTENDED) return void startTls(fake, socket, answer)
  if (operation === BIND) {
    reader.readInt()
    const dn = reader.readString()!
    const password = reader.readString(0x80)!
    const asked = { bind: { dn, password } }
    fake.asked.push(asked)
    const odd = fake.misbehaves?.(asked, socket)
    if (odd === 'nothing') return
    return void answer(0x61, odd?.code ?? bindCode(fake, dn, password))
  }
  if (operation !== SEARCH) return void socket.destroy()
  const base = reader.readString()!
  const scope = reader.readEnumeration()!
  reader.readEnumeration()
  const most = reader.readInt()!
  reader.readInt()
  reader.readBoolean()
  const filter = readFilter(reader)
  const attributes: string[] = []
  reader.readSequence()
  const end = reader.offset + reader.length
  while (reader.offset < end) attributes.push(reader.readString()!)
  const page = readPage(reader)
  const asked = { search: { base, scope, filter: filter.text } }
  fake.asked.push(asked)
  const odd = fake.misbehaves?.(asked, socket)
  if (odd === 'nothing') return
  if (odd) return void answer(0x65, odd.code)
  const found = fake.entries.filter(
    (entry) =>
      (scope === 0 ? sameName(entry.dn, base) : entry.dn.toLowerCase().endsWith(base.toLowerCase())) &&
      filter.matches(entry),
  )
  const begin = page?.cookie ? Number(page.cookie) : 0
  const shown = found.slice(begin, begin + Math.min(page?.size || 1e9, most || 1e9))
  for (const entry of shown) socket.write(written(id, 0x64, (writer) => writeEntry(writer, entry, attributes)))
  const next = begin + shown.length
  const isCut = page === undefined && most > 0 && found.length > most
  if (!page) return void answer(0x65, isCut ? 4 : 0)
  socket.write(
    written(
      id,
      0x65,
      (writer) => result(writer, 0),
      (writer) => writePage(writer, next < found.length ? String(next) : ''),
    ),
  )
}

/** Names are equal whatever their case, and whatever spaces are between their parts. */
const sameName = (a: string, b: string) => plain(a) === plain(b)
const plain = (name: string) => name.toLowerCase().replace(/, +/g, ',')

function bindCode({ entries, takesEmptyPasswords }: Fake, dn: string, password: string): number {
  if (password === '') return takesEmptyPasswords ? 0 : 53
  const entry = entries.find((one) => sameName(one.dn, dn))
  return entry?.password === password ? 0 : 49
}

function startTls(fake: Fake, socket: Socket, answer: (tag: number, code: number) => void): void {
  if (fake.startTls === 'refused') return void answer(0x78, 2)
  answer(0x78, 0)
  socket.removeAllListeners('data')
  const secure = new TLSSocket(socket, { isServer: true, key, cert: certificate })
  secure.on('error', () => {})
  if (fake.startTls === 'drops') secure.on('secure', () => void socket.destroy())
  serve(fake, secure)
}

function written(
  id: number,
  tag: number,
  body: (writer: BerWriter) => void,
  controls?: (writer: BerWriter) => void,
): Buffer {
  const writer = new BerWriter()
  writer.startSequence()
  writer.writeInt(id)
  writer.startSequence(tag)
  body(writer)
  writer.endSequence()
  controls?.(writer)
  writer.endSequence()
  return writer.buffer
}

function result(writer: BerWriter, code: number): void {
  writer.writeEnumeration(code)
  writer.writeString('')
  writer.writeString('')
}

function writeEntry(writer: BerWriter, { dn, attributes }: FakeEntry, wanted: readonly string[]): void {
  writer.writeString(dn)
  writer.startSequence()
  for (const [name, values] of Object.entries(attributes)) {
    if (!wanted.some((one) => sameName(one, name))) continue
    writer.startSequence()
    writer.writeString(name)
    writer.startSequence(Ber.Set | Ber.Constructor)
    for (const value of values) writer.writeBuffer(Buffer.from(value as string), Ber.OctetString)
    writer.endSequence()
    writer.endSequence()
  }
  writer.endSequence()
}

function readPage(reader: BerReader): { size: number; cookie: string } | undefined {
  if (reader.peek() !== 0xa0) return undefined
  reader.readSequence(0xa0)
  reader.readSequence()
  if (reader.readString() !== PAGED) return undefined
  if (reader.peek() === Ber.Boolean) reader.readBoolean()
  const value = new BerReader(reader.readString(Ber.OctetString, true)!)
  value.readSequence()
  return { size: value.readInt()!, cookie: value.readString()! }
}

function writePage(writer: BerWriter, cookie: string): void {
  const value = new BerWriter()
  value.startSequence()
  value.writeInt(0)
  value.writeString(cookie)
  value.endSequence()
  writer.startSequence(0xa0)
  writer.startSequence()
  writer.writeString(PAGED)
  writer.writeBuffer(value.buffer, Ber.OctetString)
  writer.endSequence()
  writer.endSequence()
}

interface Condition {
  /** For tests to read, in the form of RFC 4515 without escapes. */
  text: string
  matches(entry: FakeEntry): boolean
}

function readFilter(reader: BerReader): Condition {
  const tag = reader.readSequence()!
  const end = reader.offset + reader.length
  const parts = () => {
    const found: Condition[] = []
    while (reader.offset < end) found.push(readFilter(reader))
    return found
  }
  const of = (sign: string, all: Condition[]) => `(${sign}${all.map(({ text }) => text).join('')})`
  const valuesIn = (entry: FakeEntry, name: string) =>
    Object.entries(entry.attributes).find(([own]) => sameName(own, name))?.[1] ?? []
  if (tag === 0xa0 || tag === 0xa1) {
    const all = parts()
    const matches = (entry: FakeEntry) =>
      tag === 0xa0 ? all.every((one) => one.matches(entry)) : all.some((one) => one.matches(entry))
    return { text: of(tag === 0xa0 ? '&' : '|', all), matches }
  }
  if (tag === 0xa3) {
    const name = reader.readString()!
    const value = reader.readString(Ber.OctetString, true)!
    const matches = (entry: FakeEntry) =>
      valuesIn(entry, name).some(
        (own) => Buffer.from(own as string).equals(value) || sameName(String(own), value.toString()),
      )
    return { text: `(${name}=${value.toString()})`, matches }
  }
  if (tag === 0x87) {
    const name = reader.buffer.subarray(reader.offset, end).toString()
    reader.offset = end
    return { text: `(${name}=*)`, matches: (entry) => valuesIn(entry, name).length > 0 }
  }
  throw new Error(`the fake directory knows no filter ${tag}`)
}
