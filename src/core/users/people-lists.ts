import { type JsonPieces, KeptJson } from '../kernel/base/kept-json.ts'
import type { Caller } from '../kernel/context.ts'
import { pacer } from '../kernel/slices.ts'
import type { User } from '../kernel/user.ts'
import { people, profileFor } from './people.ts'
import { userView } from './view.ts'

type People = Awaited<ReturnType<typeof people.get>>
/** No account has this id. */
const NOBODY = -1

type Kind = 'active' | 'deactivated' | 'server'

/** One kind of accounts as a JSON list, and the positions of accounts with addresses hidden from this role. */
interface List {
  bytes: Buffer
  hidden: ReadonlyMap<number, { start: number; end: number }>
}
type Lists = Record<Kind, List>

/** What makes lists differ: the reader's role, and whether the reader computes Gravatar addresses. */
interface Readers {
  /** Nobody's, except for the reader's own account. */
  id: number
  role: number
  client_gravatar: boolean
}

/** Cached lists by readers, dropped together with the rows they were made from. */
const made = new WeakMap<People, Map<string, Promise<Lists>>>()

/**
 * Returns all users as register shows them. The JSON is made once for all readers of a role, until a user changes.
 */
export async function peopleLists(
  reader: Caller,
  { client_gravatar }: Pick<Readers, 'client_gravatar'>,
): Promise<Record<Kind, KeptJson>> {
  const all = await people.get(reader)
  const readers = { id: NOBODY, role: reader.user.role, client_gravatar }
  const list = (kind: Kind) =>
    new KeptJson(async () => withOwn(reader, all, readers, (await listsFor(reader, all, readers))[kind]))
  return { active: list('active'), deactivated: list('deactivated'), server: list('server') }
}

function listsFor(reader: Caller, all: People, readers: Readers): Promise<Lists> {
  const known = made.get(all) ?? new Map<string, Promise<Lists>>()
  made.set(all, known)
  const key = `${readers.role} ${readers.client_gravatar}`
  const lists = known.get(key) ?? makeLists(reader, all, readers)
  known.set(key, lists)
  return lists
}

async function makeLists(reader: Caller, all: People, readers: Readers): Promise<Lists> {
  const texts: Record<Kind, string[]> = { active: [], deactivated: [], server: [] }
  const sizes: Record<Kind, number> = { active: 1, deactivated: 1, server: 1 }
  const hidden = { active: new Map(), deactivated: new Map(), server: new Map() }
  const turn = pacer(reader)
  for (const user of all.users) {
    const text = textOf(reader, all, user, readers)
    const kind = user.is_active === 0 ? 'deactivated' : user.is_system_bot === 1 ? 'server' : 'active'
    const start = sizes[kind]
    const end = start + Buffer.byteLength(text)
    if (readers.role > user.email_shown_to) hidden[kind].set(user.id, { start, end })
    texts[kind].push(text)
    // A comma, or the bracket at the end.
    sizes[kind] = end + 1
    await turn()
  }
  const list = (kind: Kind): List => ({ bytes: Buffer.from(`[${texts[kind].join()}]`), hidden: hidden[kind] })
  return { active: list('active'), deactivated: list('deactivated'), server: list('server') }
}

function textOf({ chat }: Caller, { values }: People, user: User, reader: Readers): string {
  const view = userView(chat, user, { client_gravatar: reader.client_gravatar, reader })
  if (user.bot_type !== null) return JSON.stringify(view)
  return JSON.stringify({ ...view, profile_data: profileFor(reader, values.get(user.id)) })
}

/** Returns the list with the reader's own account as they see it: with its address. */
function withOwn(reader: Caller, all: People, readers: Readers, { bytes, hidden }: List): JsonPieces {
  const { id } = reader.user
  const place = hidden.get(id)
  const own = place && all.users.find((user) => user.id === id)
  if (!own) return [bytes]
  const text = textOf(reader, all, own, { ...readers, id })
  return [bytes.subarray(0, place.start), Buffer.from(text), bytes.subarray(place.end)]
}
