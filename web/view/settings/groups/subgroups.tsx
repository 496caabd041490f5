import { type Group, groupName, userGroups } from '../../../model/reading/groups.ts'
import { attempt } from '../../parts/notices.tsx'
import { useSession } from '../../session-context.ts'

/** The groups whose members belong to a group, too. */
export function Subgroups({ group, mayChange }: { group: Group; mayChange: boolean }) {
  const session = useSession()
  const { id: user_group_id, direct_subgroup_ids: inside } = group
  const change = (groups: { add?: number[]; delete?: number[] }) =>
    attempt(() => session.client.changeSubgroups({ user_group_id, ...groups }))
  const offered = userGroups(session).filter(({ id }) => id !== user_group_id && !inside.includes(id))
  if (inside.length === 0 && (!mayChange || offered.length === 0)) return null
  return (
    <section aria-labelledby="subgroups">
      <h4 id="subgroups">Groups in it</h4>
      <ul class="settings-list">
        {inside.map((id) => (
          <li key={id}>
            <span class="name">{groupName(session, id)}</span>
            {mayChange && (
              <button
                type="button"
                aria-label={`Remove ${groupName(session, id)}`}
                onClick={() => change({ delete: [id] })}
              >
                Remove
              </button>
            )}
          </li>
        ))}
      </ul>
      {mayChange && offered.length > 0 && (
        <select
          aria-label="Add a group"
          value=""
          onChange={(event) => change({ add: [Number(event.currentTarget.value)] })}
        >
          <option value="">Add a group …</option>
          {offered.map(({ id, name }) => (
            <option key={id} value={String(id)}>
              {name}
            </option>
          ))}
        </select>
      )}
    </section>
  )
}
