import type { Group } from '../../../model/reading/groups.ts'
import { pageTexts } from '../../../texts/page-texts.ts'
import { PeopleInput } from '../../compose/people-input.tsx'
import { MemberList } from '../../parts/member-list.tsx'
import { attempt } from '../../parts/notices.tsx'
import { useSession } from '../../session-context.ts'

interface GroupMembersProps {
  group: Group
  mayAdd: boolean
  mayRemove: boolean
}

/** The direct members of a group. */
export function GroupMembers({ group, mayAdd, mayRemove }: GroupMembersProps) {
  const session = useSession()
  // The state changes in place, so a component that gets it as a property names the parts it depends on.
  session.read('groups')
  const { id: user_group_id, members } = group
  const { client } = session
  const add = (user_ids: readonly number[]) =>
    attempt(() => client.changeMembers({ user_group_id, add: [...user_ids] }))
  return (
    <section aria-label={pageTexts.groups.members}>
      {mayAdd && (
        <PeopleInput
          label={pageTexts.groups.addMember}
          placeholder={pageTexts.common.addPerson}
          user_ids={[]}
          onChange={add}
        />
      )}
      <MemberList
        user_ids={members}
        onRemove={mayRemove && ((user_id) => attempt(() => client.changeMembers({ user_group_id, delete: [user_id] })))}
      />
      {members.length === 0 && <p class="quiet">{pageTexts.groups.noMembers}</p>}
    </section>
  )
}
