import { groupName, userGroups } from '../../model/reading/groups.ts'
import { PeopleInput } from '../compose/people-input.tsx'
import { Icon } from '../parts/icon.tsx'
import { useSession } from '../session-context.ts'

/** People and groups, as a permission may be given to. */
export interface MemberSet {
  direct_members: number[]
  direct_subgroups: number[]
}

interface MemberSetProps {
  /** What it is for. */
  label: string
  value: MemberSet
  onChange(value: MemberSet): void
}

/** People by their names, and groups out of a list. */
export function MemberSetInput({ label, value, onChange }: MemberSetProps) {
  const session = useSession()
  const { direct_members, direct_subgroups } = value
  const others = userGroups(session).filter(({ id }) => !direct_subgroups.includes(id))
  return (
    <div class="member-set">
      <PeopleInput
        label={`People: ${label}`}
        placeholder="Add somebody"
        user_ids={direct_members}
        onChange={(user_ids) => onChange({ ...value, direct_members: [...user_ids] })}
      />
      <div class="pills">
        {direct_subgroups.map((id) => (
          <button
            key={id}
            type="button"
            class="pill"
            aria-label={`Remove ${groupName(session, id)}`}
            onClick={() => onChange({ ...value, direct_subgroups: direct_subgroups.filter((one) => one !== id) })}
          >
            {groupName(session, id)} <Icon name="close" />
          </button>
        ))}
        {others.length > 0 && (
          <select
            aria-label={`Add a group: ${label}`}
            value=""
            onChange={(event) =>
              onChange({ ...value, direct_subgroups: [...direct_subgroups, Number(event.currentTarget.value)] })
            }
          >
            <option value="">Add a group …</option>
            {others.map(({ id }) => (
              <option key={id} value={String(id)}>
                {groupName(session, id)}
              </option>
            ))}
          </select>
        )}
      </div>
    </div>
  )
}
