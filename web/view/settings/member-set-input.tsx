import { groupName, userGroups } from '../../model/reading/groups.ts'
import { pageTexts } from '../../texts/page-texts.ts'
import { texts } from '../../texts/texts.ts'
import { PeopleInput } from '../compose/people-input.tsx'
import { AddChoice } from '../parts/field.tsx'
import { Icon } from '../parts/icon.tsx'
import { useSession } from '../session-context.ts'

/** The value of a permission: users and groups. */
export interface MemberSet {
  direct_members: number[]
  direct_subgroups: number[]
}

interface MemberSetProps {
  /** Its purpose. */
  label: string
  value: MemberSet
  onChange(value: MemberSet): void
}

/** People by their names, and groups out of a list. */
export function MemberSetInput({ label, value, onChange }: MemberSetProps) {
  const session = useSession()
  const { direct_members, direct_subgroups } = value
  // Users who have left the organization are left out, because the server rejects a set with one of them.
  const left = new Set(session.read('users').realm_non_active_users.map(({ user_id }) => user_id))
  const change = (next: MemberSet) =>
    onChange({ ...next, direct_members: next.direct_members.filter((id) => !left.has(id)) })
  const others = userGroups(session).filter(({ id }) => !direct_subgroups.includes(id))
  return (
    <div class="member-set">
      <PeopleInput
        label={pageTexts.permissions.people(label)}
        placeholder={pageTexts.common.addPerson}
        user_ids={direct_members}
        onChange={(user_ids) => change({ ...value, direct_members: [...user_ids] })}
      />
      <div class="pills">
        {direct_subgroups.map((id) => (
          <button
            key={id}
            type="button"
            class="pill"
            aria-label={texts.common.removeName(groupName(session, id))}
            onClick={() => change({ ...value, direct_subgroups: direct_subgroups.filter((one) => one !== id) })}
          >
            {groupName(session, id)} <Icon name="close" />
          </button>
        ))}
        {others.length > 0 && (
          <AddChoice
            label={pageTexts.permissions.addGroup(label)}
            placeholder={pageTexts.groups.addGroupPlaceholder}
            options={others.map(({ id }) => [id, groupName(session, id)])}
            onAdd={(id) => change({ ...value, direct_subgroups: [...direct_subgroups, id] })}
          />
        )}
      </div>
    </div>
  )
}
