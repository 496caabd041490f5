import { type Group, groupName, groupsWithin, userGroups } from '../../../model/reading/groups.ts'
import { pageTexts } from '../../../texts/page-texts.ts'
import { texts } from '../../../texts/texts.ts'
import { AddChoice } from '../../parts/field.tsx'
import { attempt } from '../../parts/notices.tsx'
import { useSession } from '../../session-context.ts'

/** The subgroups of a group. */
export function Subgroups({ group, mayAdd, mayRemove }: { group: Group; mayAdd: boolean; mayRemove: boolean }) {
  const session = useSession()
  const { id: user_group_id, direct_subgroup_ids: inside } = group
  const change = (groups: { add?: number[]; delete?: number[] }) =>
    attempt(() => session.client.changeSubgroups({ user_group_id, ...groups }))
  const state = session.read('groups')
  // A supergroup of this group would make a cycle.
  const offered = userGroups(session).filter(
    ({ id }) => !inside.includes(id) && !groupsWithin(state, id).has(user_group_id),
  )
  if (inside.length === 0 && (!mayAdd || offered.length === 0)) return null
  return (
    <section aria-labelledby="subgroups">
      <h4 id="subgroups">{pageTexts.groups.subgroups}</h4>
      <ul class="settings-list">
        {inside.map((id) => (
          <li key={id}>
            <span class="name">{groupName(session, id)}</span>
            {mayRemove && (
              <button
                type="button"
                aria-label={texts.common.removeName(groupName(session, id))}
                onClick={() => change({ delete: [id] })}
              >
                {pageTexts.common.remove}
              </button>
            )}
          </li>
        ))}
      </ul>
      {mayAdd && offered.length > 0 && (
        <AddChoice
          label={pageTexts.groups.addGroup}
          placeholder={pageTexts.groups.addGroupPlaceholder}
          options={offered.map(({ id, name }) => [id, name])}
          onAdd={(id) => change({ add: [id] })}
        />
      )}
    </section>
  )
}
