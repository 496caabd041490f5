import { userGroups } from '../../model/reading/groups.ts'
import { useSession } from '../session-context.ts'
import { AddChoice } from '../settings/field.tsx'

/** A choice of a group whose people are added at once. */
export function AddGroup({ onAdd }: { onAdd(group_id: number): void }) {
  const groups = userGroups(useSession()).filter(({ members }) => members.length > 0)
  if (groups.length === 0) return null
  return (
    <AddChoice
      label="Add everybody of a group"
      placeholder="Add everybody of a group …"
      options={groups.map(({ id, name }) => [id, name])}
      onAdd={onAdd}
    />
  )
}
