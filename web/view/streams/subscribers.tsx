import { administersStream, type ClientState, hasPermission, isAllowed } from '../../../src/client/index.ts'
import { groupName, userGroups } from '../../model/reading/groups.ts'
import { nameOf } from '../../model/reading/people.ts'
import { PeopleInput } from '../compose/people-input.tsx'
import { Avatar } from '../parts/avatar.tsx'
import { attempt, notify } from '../parts/notices.tsx'
import { useSession } from '../session-context.ts'
import { useAnswer } from '../settings/use-answer.ts'

/** So many are listed. */
const MOST = 300

interface SubscribersProps {
  stream: ClientState['never_subscribed'][number]
  isIn: boolean
}

/** Who is in a stream; who may adds people and groups, and removes people. */
export function Subscribers({ stream, isIn }: SubscribersProps) {
  const session = useSession()
  const { client } = session
  // The state's own object changes as it is: a component that is given one says what it depends on.
  const state = session.read('groups', 'organization', 'streams', 'users')
  const { stream_id, name } = stream
  const { answer, problem, load } = useAnswer(() => client.getSubscribers({ stream_id }), 'subscribers')
  const administers = administersStream(state, stream)
  const mayAdd =
    administers ||
    isAllowed(state, stream.can_add_subscribers_group) ||
    ((isIn || !stream.invite_only) && hasPermission(state, 'realm_can_add_subscribers_group'))
  const mayRemove = administers || isAllowed(state, stream.can_remove_subscribers_group)
  const change = (work: () => Promise<unknown>) =>
    attempt(async () => {
      await work()
      await load()
    })
  const add = (principals: readonly number[]) =>
    change(() => client.subscribe({ subscriptions: [{ name }], principals: [...principals] }))
  const addGroup = (id: number) => {
    const members = membersOf(state, id)
    add(members)
    notify(`Everybody of ${groupName(session, id)} is added.`)
  }
  const ids = answer.value?.subscribers ?? []
  const groups = userGroups(session).filter(({ members }) => members.length > 0)
  return (
    <section aria-labelledby="subscribers">
      <h2 id="subscribers">Who is in it</h2>
      <p class="problem" role="alert">
        {problem.value}
      </p>
      {mayAdd && (
        <div class="member-set">
          <PeopleInput label="Add somebody" placeholder="Add somebody" user_ids={[]} onChange={add} />
          {groups.length > 0 && (
            <select
              aria-label="Add everybody of a group"
              value=""
              onChange={(event) => addGroup(Number(event.currentTarget.value))}
            >
              <option value="">Add everybody of a group …</option>
              {groups.map(({ id, name: group }) => (
                <option key={id} value={String(id)}>
                  {group}
                </option>
              ))}
            </select>
          )}
        </div>
      )}
      <ul class="settings-list">
        {ids.slice(0, MOST).map((user_id) => (
          <li key={user_id}>
            <Avatar user_id={user_id} size={28} />
            <span class="name">{nameOf(session, user_id)}</span>
            {mayRemove && (
              <button
                type="button"
                aria-label={`Remove ${nameOf(session, user_id)}`}
                onClick={() => change(() => client.unsubscribe({ subscriptions: [name], principals: [user_id] }))}
              >
                Remove
              </button>
            )}
          </li>
        ))}
      </ul>
      {ids.length > MOST && <p class="quiet">And {ids.length - MOST} more.</p>}
    </section>
  )
}

/** Everybody who belongs to a group, by other groups too. */
function membersOf(state: ClientState, group_id: number, seen = new Set<number>()): number[] {
  const group = state.realm_user_groups.find(({ id }) => id === group_id)
  if (!group || seen.has(group_id)) return []
  seen.add(group_id)
  const inside = group.direct_subgroup_ids.flatMap((id) => membersOf(state, id, seen))
  return [...new Set([...group.members, ...inside])]
}
