import { KeptJson } from '../base/kept-json.ts'
import type { Caller } from '../context.ts'
import { pacer } from '../slices.ts'
import { people } from './people-rows.ts'
import { shown } from './profile-data.ts'
import { type UserViewOptions, userView } from './view.ts'

type People = Awaited<ReturnType<typeof people.get>>
const kinds = ['active', 'deactivated', 'server'] as const
type Kind = (typeof kinds)[number]

/** Lists already made, by whether readers compute the addresses of Gravatars themselves. */
const made = new WeakMap<People, Map<boolean, Promise<Record<Kind, Buffer>>>>()

/** Everybody as register shows them, as JSON made once for all readers until somebody changes. */
export async function peopleLists(reader: Caller, options: UserViewOptions): Promise<Record<Kind, KeptJson>> {
  const all = await people.get(reader)
  const lists = () => {
    const known = made.get(all) ?? new Map<boolean, Promise<Record<Kind, Buffer>>>()
    made.set(all, known)
    const { client_gravatar } = options
    const making = known.get(client_gravatar) ?? makeLists(reader, all, options)
    known.set(client_gravatar, making)
    return making
  }
  const list = (kind: Kind) => new KeptJson(async () => (await lists())[kind])
  return { active: list('active'), deactivated: list('deactivated'), server: list('server') }
}

async function makeLists(reader: Caller, { users, values }: People, options: UserViewOptions) {
  const texts: Record<Kind, string[]> = { active: [], deactivated: [], server: [] }
  const turn = pacer(reader)
  for (const user of users) {
    const view = userView(reader.chat, user, options)
    const own = values.get(user.id) ?? []
    const profile_data = Object.fromEntries(own.map((row) => [row.field_id, shown(row.value, row.rendered_value)]))
    const kind = !view.is_active ? 'deactivated' : view.is_system_bot ? 'server' : 'active'
    texts[kind].push(JSON.stringify({ ...view, ...(user.bot_type === null && { profile_data }) }))
    await turn()
  }
  const listOf = (kind: Kind) => Buffer.from(`[${texts[kind].join()}]`)
  return { active: listOf('active'), deactivated: listOf('deactivated'), server: listOf('server') }
}
